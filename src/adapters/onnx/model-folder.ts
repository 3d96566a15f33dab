/** Opens a folder with an embedding model: finds its files, reads its settings and gives it an identity. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { type ModelProfile, profileOf } from './model-profile.ts';

/** Plain data, so that it can be handed to worker threads. */
export interface ModelFolder {
  /** As the model's authors call it, else the folder's name. */
  readonly name: string;
  /** Name and hash of all that a passage's vector depends on; equal identities give comparable vectors. */
  readonly identity: string;
  /** Absent where the folder has no `config.json`: the session knows. */
  readonly dimensions?: number;
  readonly padId: number;
  readonly profile: ModelProfile;
  readonly modelFile: string;
  readonly tokenizerFile: string;
  readonly tokenizerConfigFile: string;
}

const MODEL_FILES = ['model_quantized.onnx', 'model.onnx', 'onnx/model_quantized.onnx', 'onnx/model.onnx'];
const REMEDY =
  'Point to a folder with tokenizer.json and model_quantized.onnx or model.onnx, such as the docfuse package’s models/bge-small-en-v1.5.';

/**
 * Reads what is needed to run the model later; the model itself is only hashed.
 * @param folder with `tokenizer.json`, a model file (see `MODEL_FILES`) and, as a rule, `config.json` and `tokenizer_config.json`
 * @throws DocfuseError `model_missing` when a file is not there, `model_invalid` when one makes no sense
 */
export async function openModelFolder(folder: string): Promise<ModelFolder> {
  const root = resolve(folder);
  const modelFile = await findModelFile(root);
  const tokenizerFile = join(root, 'tokenizer.json');
  const tokenizerConfigFile = join(root, 'tokenizer_config.json');
  await requireFile(root, tokenizerFile);
  const [config, tokenizerConfig] = await Promise.all([
    readSettings(join(root, 'config.json')),
    readSettings(tokenizerConfigFile),
  ]);

  const name = typeof config._name_or_path === 'string' ? config._name_or_path : basename(root);
  const known = profileOf(name);
  const limits = [config.max_position_embeddings, tokenizerConfig.model_max_length].map(count);
  const profile = { ...known, maxTokens: Math.min(known.maxTokens, ...limits.filter((limit) => limit > 2)) };
  const dimensions = count(config.hidden_size);
  const digest = await hashFiles([modelFile, tokenizerFile], {
    prefix: profile.passagePrefix,
    pooling: profile.pooling,
    maxTokens: profile.maxTokens,
  });
  return {
    name,
    identity: `${basename(name)}@${digest.slice(0, 12)}`,
    ...(dimensions > 0 && { dimensions }),
    padId: count(config.pad_token_id),
    profile,
    modelFile,
    tokenizerFile,
    tokenizerConfigFile,
  };
}

/** Parses a JSON file of the model. @throws DocfuseError `model_invalid` */
export async function readModelJson(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value !== 'object' || value === null) throw new TypeError('it holds no object');
    return value as Record<string, unknown>;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DocfuseError(
      'model_invalid',
      `${file} cannot be read as JSON: ${reason}`,
      'Fetch the file again.',
      {
        cause,
      },
    );
  }
}

/** Settings are optional: older exports come without. */
export async function readSettings(file: string): Promise<Record<string, unknown>> {
  return (await isFile(file)) ? readModelJson(file) : {};
}

async function findModelFile(root: string): Promise<string> {
  for (const name of MODEL_FILES) {
    const file = join(root, name);
    if (await isFile(file)) return file;
  }
  throw new DocfuseError('model_missing', `${root} has no ${MODEL_FILES.join(', ')}.`, REMEDY);
}

async function requireFile(root: string, file: string): Promise<void> {
  if (!(await isFile(file))) {
    throw new DocfuseError('model_missing', `${root} has no ${basename(file)}.`, REMEDY);
  }
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** A positive integer, else 0. */
function count(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(0, value as number) : 0;
}

/** The whole of each file: a part would not notice a model quantised anew. */
async function hashFiles(files: readonly string[], settings: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of files) {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 }))
      hash.update(piece as Buffer);
  }
  return hash.digest('hex');
}
