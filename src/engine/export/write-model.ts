/** Writes what a browser runs to search by meaning: a worker, ONNX Runtime, and the model that made the vectors. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import {
  type ExportMeaning,
  MODEL_PARTS,
  type ModelPart,
  modelFile,
  WORKER_FILE,
} from '../../core/fragments/export-format.ts';
import { meaningFolder } from './site-files.ts';

export interface ExportedModel extends Pick<ExportMeaning, 'padId' | 'profile'> {
  readonly identity: string;
  readonly modelFile: string;
  readonly tokenizerFile: string;
  readonly tokenizerConfigFile: string;
}

/** Max bytes of a file; longer contents are split, because some hosts refuse files above 25 MB. */
const FILE_SIZE = 4_000_000;
const DIGITS = 12;

const compress = promisify(deflateRaw);

/** @returns the model's entry in the start file; its `bytes` is the size of the worker and of `parts` */
export async function writeModel(
  folder: string,
  model: ExportedModel,
  signal?: AbortSignal,
): Promise<Omit<ExportMeaning, 'dimensions'>> {
  const built = meaningFolder();
  const unnamed = join(folder, 'model');
  mkdirSync(unnamed);
  const json = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  const tokenizer = [model.tokenizerFile, model.tokenizerConfigFile].map(json);
  const contents: Readonly<Record<ModelPart, Buffer>> = {
    runtime: await readFile(join(built, 'runtime')),
    model: await compress(await readFile(model.modelFile), { level: 9 }),
    tokenizer: await compress(JSON.stringify(tokenizer), { level: 9 }),
  };
  signal?.throwIfAborted();
  const worker = readFileSync(join(built, WORKER_FILE));
  const hash = createHash('sha256').update(worker);
  writeFileSync(join(unnamed, WORKER_FILE), worker);
  const parts = MODEL_PARTS.map((part) => {
    hash.update(contents[part]);
    const count = Math.ceil(contents[part].length / FILE_SIZE);
    for (let number = 0; number < count; number++) {
      const piece = contents[part].subarray(number * FILE_SIZE, (number + 1) * FILE_SIZE);
      writeFileSync(join(unnamed, modelFile(part, number)), piece);
    }
    return [part, count] as const;
  });
  copyFileSync(join(built, 'LICENSES.md'), join(unnamed, 'LICENSES.md'));
  const licence = join(dirname(model.modelFile), 'LICENSE.txt');
  if (existsSync(licence)) copyFileSync(licence, join(unnamed, 'LICENSE-model.txt'));
  const name = `model-${hash.digest('hex').slice(0, DIGITS)}`;
  renameSync(unnamed, join(folder, name));
  const { identity, padId, profile } = model;
  return {
    folder: name,
    model: identity,
    padId,
    profile,
    parts: Object.fromEntries(parts) as ExportMeaning['parts'],
    bytes: worker.length + MODEL_PARTS.reduce((sum, part) => sum + contents[part].length, 0),
  };
}
