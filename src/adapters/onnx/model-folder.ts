/** Opens a folder with an embedding model: finds its files, reads its settings and gives it an identity. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { findModelFiles, requireFolder, toCount } from './model-files.ts';
import { type ModelProfile, profileOf, readProfile } from './model-profile.ts';

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

const REMEDY =
  'Point to a folder with tokenizer.json and model_quantized.onnx or model.onnx, such as the docfuse package’s models/bge-small-en-v1.5.';

/**
 * Reads what is needed to run the model later; the model itself is only hashed.
 * @param called as the user calls the model. @default what its files say, else the folder's name
 * @throws DocfuseError `model_missing` when a file is not there, `model_invalid` when one makes no sense
 */
export async function openModelFolder(folder: string, called?: string): Promise<ModelFolder> {
  await requireFolder(folder, `embedding model ${called ?? folder}`, called ?? folder, REMEDY);
  const files = await findModelFiles(folder, REMEDY);
  const { modelFile, tokenizerFile, tokenizerConfigFile, config, padId, maxInputLength } = files;
  const name = called ?? files.name;
  const known = profileOf(name) ?? (await readProfile(folder));
  const profile = { ...known, maxTokens: Math.min(known.maxTokens, maxInputLength) };
  const dimensions = toCount(config.hidden_size);
  const digest = await hashFiles([modelFile, tokenizerFile], {
    prefix: profile.passagePrefix,
    pooling: profile.pooling,
    maxTokens: profile.maxTokens,
  });
  return {
    name,
    identity: `${basename(name)}@${digest.slice(0, 12)}`,
    ...(dimensions > 0 && { dimensions }),
    padId,
    profile,
    modelFile,
    tokenizerFile,
    tokenizerConfigFile,
  };
}

/** The whole of each file: a part would miss a model that was quantised again. */
async function hashFiles(files: readonly string[], settings: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of files) {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 }))
      hash.update(piece as Buffer);
  }
  return hash.digest('hex');
}
