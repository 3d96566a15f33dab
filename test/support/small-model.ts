/** A model for tests in which a model must run, but nothing depends on what it finds: it loads in a tenth of the time. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the model. Texts that share words are near each other. */
export const SMALL_MODEL = fileURLToPath(new URL('../fixtures/overlap-embedder', import.meta.url));

/** The same as a setting of `open`, and as the environment of a command. */
export const SMALL_SETTINGS = { embedding: { model: SMALL_MODEL } };
export const SMALL_ENV = { DOCFUSE_EMBEDDING_MODEL: SMALL_MODEL };

/** Copies the model with another graph of its folder, and the graph's weights, such as `not_a_number.onnx`. @param target the folder to make */
export function makeVariant(target: string, graph: string): string {
  mkdirSync(target);
  for (const name of ['tokenizer.json', 'config.json']) cpSync(join(SMALL_MODEL, name), join(target, name));
  cpSync(join(SMALL_MODEL, graph), join(target, 'model.onnx'));
  const weights = join(SMALL_MODEL, `${graph}_data`);
  if (existsSync(weights)) cpSync(weights, join(target, `${graph}_data`));
  return target;
}
