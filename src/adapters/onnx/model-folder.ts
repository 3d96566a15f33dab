/** Opens a folder with an embedding model: finds its files, reads its settings and computes its identity. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ModelProfile } from '../../core/fragments/export-format.ts';
import { findModelFiles, type ModelFiles, toCount } from './model-files.ts';
import { readProfile } from './model-profile.ts';

/** A model that is not loaded yet. It is plain data, because it is sent to worker threads. */
export interface ModelFolder extends Omit<ModelFiles, 'config' | 'maxInputLength'> {
  /** Name that the user gave, else the name in the model's files, else the folder's name. */
  readonly name: string;
  /** The name, and a hash of everything that vectors depend on. Vectors of models with equal identities are comparable. */
  readonly identity: string;
  /** Length of the vectors; absent if no file states it: it is then known when the model is loaded. */
  readonly dimensions?: number;
  readonly profile: ModelProfile;
  /** Files beside the model file that hold its weights; most models hold them in the model file. */
  readonly weightFiles: readonly string[];
}

const REMEDY =
  'Set embedding.model or embedding.multilingual_model to a folder with tokenizer.json and model_quantized.onnx or model.onnx, such as the docfuse package’s models/bge-small-en-v1.5.';

/**
 * Reads the settings that are needed to run the model later. The model's files are hashed, but the model is not loaded.
 * @param called name that the user gave. @default the name in the model's files, else the folder's name
 * @param asked length to which vectors are cut. Not checked here: the encoder refuses a length above the model's own.
 * @default not cut
 * @throws DocfuseError `model_missing` if a file is missing, `model_invalid` if a file is malformed
 */
export async function openModelFolder(folder: string, called?: string, asked?: number): Promise<ModelFolder> {
  const wanted = { kind: 'embedding', name: called ?? folder, remedy: REMEDY } as const;
  const { config, maxInputLength, ...files } = await findModelFiles(folder, wanted);
  const name = called ?? files.name;
  const read = await readProfile(folder, name, maxInputLength);
  // Layers after the pooling may change the length.
  const own = read.layers.length > 0 ? 0 : toCount(config.hidden_size);
  const dimensions = asked ?? own;
  const profile = { ...read, ...(dimensions !== own && { dimensions }) };
  const weightFiles = await findWeights(files.modelFile);
  const digest = await hashFiles([files.modelFile, files.tokenizerFile, ...weightFiles], {
    prefix: profile.passagePrefix,
    pooling: profile.pooling,
    maxTokens: profile.maxTokens,
    dimensions: profile.dimensions,
  });
  const identity = `${basename(name)}@${digest.slice(0, 12)}`;
  return { ...files, name, identity, profile, weightFiles, ...(dimensions > 0 && { dimensions }) };
}

/** Returns the files to which the model file refers by name. An ONNX file has at most 2 GB, so larger weights are beside it. */
async function findWeights(modelFile: string): Promise<readonly string[]> {
  const folder = dirname(modelFile);
  const names = (await readdir(folder)).filter((name) => /\.onnx(_data.*|\.data)$/.test(name));
  if (names.length === 0) return [];
  const model = await readFile(modelFile);
  return names
    .filter((name) => model.includes(name))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Hashes the whole files: a hash of a part could miss that a model was quantised again. */
async function hashFiles(files: readonly string[], settings: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of files) {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 }))
      hash.update(piece as Buffer);
  }
  return hash.digest('hex');
}
