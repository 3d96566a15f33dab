/** A hand-built cross-encoder: it counts words of the query in a passage. Its tokenizer is that of the packaged model. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODEL = fileURLToPath(new URL('../fixtures/overlap-cross-encoder', import.meta.url));
const TOKENIZER = fileURLToPath(new URL('../../models/bge-small-en-v1.5/tokenizer.json', import.meta.url));

/** Returns where a file of the model is. */
export const crossEncoderFile = (name: string): string =>
  name === 'tokenizer.json' ? TOKENIZER : join(MODEL, name);

/** Copies the model, with another graph of its folder such as `two_logits.onnx` if one is named. @param target the folder to make or fill */
export function makeCrossEncoder(target: string, graph = 'model.onnx'): string {
  mkdirSync(target, { recursive: true });
  for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    copyFileSync(crossEncoderFile(name), join(target, name));
  }
  copyFileSync(crossEncoderFile(graph), join(target, 'model.onnx'));
  return target;
}
