/** The packaged model by another name: read otherwise, without its instruction, so other vectors and another identity. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BGE = fileURLToPath(new URL('../../models/bge-small-en-v1.5', import.meta.url));

/** @param target the folder to make */
export function makeOtherModel(target: string): string {
  mkdirSync(target);
  for (const name of readdirSync(BGE)) {
    if (name !== 'config.json') symlinkSync(join(BGE, name), join(target, name));
  }
  const config = JSON.parse(readFileSync(join(BGE, 'config.json'), 'utf8'));
  writeFileSync(join(target, 'config.json'), JSON.stringify({ ...config, _name_or_path: 'someone/other' }));
  return target;
}
