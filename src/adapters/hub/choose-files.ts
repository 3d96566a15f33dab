/** Chooses the files of a model's repository that are needed to run it. */
import { DocfuseError } from '../../core/errors.ts';
import type { HubFile } from './hub.ts';

export interface ChosenFile extends HubFile {
  /** Path of the file inside the model's folder. */
  readonly target: string;
}

const TOKENIZER = 'tokenizer.json';

/** Optional files with sizes, limits, pooling and prefixes of the model. */
const SETTINGS = [
  'config.json',
  'tokenizer_config.json',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
];

/**
 * Usual paths of the ONNX file, best first. Full precision comes before quantised: most quantised models use one scale for a
 * whole batch, so the vector of a text depends on the other texts of its batch.
 */
const USUAL_MODELS = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx', 'model_quantized.onnx'];

/**
 * Chooses the files to download, small ones first.
 * @param wanted path of the ONNX file to use instead of the usual one
 * @throws DocfuseError `not_found` if a needed file is missing
 */
export function chooseFiles(
  model: string,
  files: readonly HubFile[],
  wanted: string | undefined,
): readonly ChosenFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const tokenizer = byPath.get(TOKENIZER);
  if (!tokenizer) {
    throw new DocfuseError(
      'not_found',
      `${model} has no ${TOKENIZER}.`,
      'Choose a model that has this file. Some older models have a converted copy under another name.',
    );
  }
  const onnx = chooseOnnx(model, files, wanted);
  const settings = SETTINGS.map((path) => byPath.get(path)).filter((file) => file !== undefined);
  // An ONNX file has at most 2 GB. Larger weights are in files beside it, to which the ONNX file refers by name.
  const weights = files.filter(
    ({ path }) => path.startsWith(`${onnx.path}_data`) || path === `${onnx.path}.data`,
  );
  return [
    ...[...settings, tokenizer].map((file) => ({ ...file, target: file.path })),
    ...weights.map((file) => ({ ...file, target: file.path.slice(file.path.lastIndexOf('/') + 1) })),
    { ...onnx, target: 'model.onnx' },
  ];
}

function chooseOnnx(model: string, files: readonly HubFile[], wanted: string | undefined): HubFile {
  const candidates = files.filter(({ path }) => path.endsWith('.onnx'));
  const names = candidates.map(({ path }) => path);
  const path =
    wanted ??
    USUAL_MODELS.find((usual) => names.includes(usual)) ??
    (names.length === 1 ? names[0] : undefined);
  const found = candidates.find((file) => file.path === path);
  if (found) return found;
  if (names.length === 0) {
    throw new DocfuseError(
      'not_found',
      `${model} has no ONNX file.`,
      'Choose a model that has one. Or export the model with Optimum, and give the folder of the exported files as the model.',
    );
  }
  throw new DocfuseError(
    'not_found',
    wanted === undefined
      ? `${model} has several ONNX files, but none with a usual name.`
      : `${model} has no file ${wanted}.`,
    `Give one of them with --file: ${names.join(', ')}.`,
  );
}
