/**
 * Deletes the declarations that no entry of the package reaches: each takes a block of the disk.
 * Usage: node scripts/prune-declarations.ts [folder of the package, default this one]
 */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url)));
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

const waiting = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.types]));
const reached = new Set<string>();
for (let file = waiting.pop(); file; file = waiting.pop()) {
  const path = resolve(ROOT, file);
  if (reached.has(path)) continue;
  reached.add(path);
  for (const [, target] of readFileSync(path, 'utf8').matchAll(
    /(?:from |import\()["'](\.[^"']+)\.[jt]s["']/g,
  ))
    waiting.push(join(dirname(path), `${target}.d.ts`));
}
for (const file of globSync('dist/**/*.d.ts', { cwd: ROOT }))
  if (!reached.has(resolve(ROOT, file))) rmSync(join(ROOT, file));
