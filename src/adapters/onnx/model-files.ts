/** Finds the files of an ONNX model in its folder and reads its settings, for embedding and reranking models. */
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Tokenizer } from '@huggingface/tokenizers';
import { DocfuseError } from '../../core/errors.ts';

export interface ModelFiles {
  /** The name in the model's files, else the folder's name. */
  readonly name: string;
  readonly modelFile: string;
  readonly tokenizerFile: string;
  readonly tokenizerConfigFile: string;
  /** Content of `config.json`; empty if the file is missing. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly padId: number;
  /** Longest input in tokens, special tokens included; Infinity if the files do not say. */
  readonly maxInputLength: number;
}

const MODEL_FILES = ['model_quantized.onnx', 'model.onnx', 'onnx/model_quantized.onnx', 'onnx/model.onnx'];

/** Model types whose positions begin after the id of the padding token. The first `padId + 1` positions are never used. */
const OFFSET_MODELS = /roberta|camembert|mpnet/;

export interface WantedModel {
  readonly kind: 'embedding' | 'reranking';
  /** Name that the user gave. If it has the form org/name, errors say how to download the model. */
  readonly name: string;
  /** What to do if a file is missing. */
  readonly remedy: string;
}

/**
 * @param folder contains `tokenizer.json`, a model file (see `MODEL_FILES`) and usually `config.json` and `tokenizer_config.json`
 * @throws DocfuseError `model_missing` if the folder or a file is missing, `model_invalid` if a file is malformed
 */
export async function findModelFiles(
  folder: string,
  { kind, name, remedy }: WantedModel,
): Promise<ModelFiles> {
  const root = resolve(folder);
  if (!(await stat(root).catch(() => undefined))?.isDirectory()) {
    throw new DocfuseError(
      'model_missing',
      `There is no ${kind} model ${name} on this machine: it does not come with the package, was not pulled, and is not a folder.`,
      /^[\w-][\w.-]*\/[\w.-]+$/.test(name)
        ? `Run docfuse models pull ${name} to download it. Or: ${remedy}`
        : remedy,
    );
  }
  const modelFile = await findModelFile(root, remedy);
  const tokenizerFile = join(root, 'tokenizer.json');
  const tokenizerConfigFile = join(root, 'tokenizer_config.json');
  if (!(await isFile(tokenizerFile))) {
    throw new DocfuseError('model_missing', `${root} has no tokenizer.json.`, remedy);
  }
  const [config, tokenizerConfig] = await Promise.all([
    readSettings(join(root, 'config.json')),
    readSettings(tokenizerConfigFile),
  ]);
  const padId = toCount(config.pad_token_id);
  const unused = OFFSET_MODELS.test(String(config.model_type)) ? padId + 1 : 0;
  const positions = toCount(config.max_position_embeddings) - unused;
  const limits = [positions, toCount(tokenizerConfig.model_max_length)];
  return {
    name: typeof config._name_or_path === 'string' ? config._name_or_path : basename(root),
    modelFile,
    tokenizerFile,
    tokenizerConfigFile,
    config,
    padId,
    maxInputLength: Math.min(...limits.filter((limit) => limit > 2)),
  };
}

/** Parses a JSON file of the model. @throws DocfuseError `model_invalid` */
async function readModelJson(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value !== 'object' || value === null) throw new TypeError('it is not an object');
    return value as Record<string, unknown>;
  } catch (cause) {
    throw new DocfuseError(
      'model_invalid',
      `${file} cannot be read as JSON: ${(cause as Error).message}`,
      'Fetch the file again.',
      { cause },
    );
  }
}

/** Reads a settings file; empty if it is missing, as in older exports. */
export async function readSettings(file: string): Promise<Record<string, unknown>> {
  return (await isFile(file)) ? readModelJson(file) : {};
}

/** Opens the tokenizer of a model. @throws DocfuseError `model_invalid` */
export async function openTokenizer({
  tokenizerFile,
  tokenizerConfigFile,
}: Pick<ModelFiles, 'tokenizerFile' | 'tokenizerConfigFile'>): Promise<Tokenizer> {
  const [definition, settings] = await Promise.all([
    readModelJson(tokenizerFile),
    readSettings(tokenizerConfigFile),
  ]);
  const library = await import('@huggingface/tokenizers');
  try {
    return new library.Tokenizer(definition, settings);
  } catch (cause) {
    throw new DocfuseError(
      'model_invalid',
      `${tokenizerFile} is not a tokenizer definition.`,
      'Fetch the file again.',
      { cause },
    );
  }
}

/** Returns `value` if it is a positive integer, else 0. */
export function toCount(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(0, value as number) : 0;
}

async function findModelFile(root: string, remedy: string): Promise<string> {
  for (const name of MODEL_FILES) {
    const file = join(root, name);
    if (await isFile(file)) return file;
  }
  throw new DocfuseError('model_missing', `${root} has none of the files ${MODEL_FILES.join(', ')}.`, remedy);
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() ?? false;
}
