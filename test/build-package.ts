/** Builds the package once for all tests that run the command: they run what users run. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../', import.meta.url));

/** Below `node_modules`, where the packages it needs are found and Git does not look. */
export const BUILT_PACKAGE = join(PROJECT, 'node_modules/.cache/docfuse-package');

const STAMP = join(BUILT_PACKAGE, 'built');
const INPUTS = [
  'src/**/*.{ts,tsx,css,html}',
  'bin/*',
  'scripts/{bundle-command,build-page,prune-declarations}.ts',
  'package.json',
  'tsconfig*.json',
];

/** Called by Vitest before the first test file. */
export function setup(): void {
  if (isFresh()) return;
  rmSync(BUILT_PACKAGE, { recursive: true, force: true });
  mkdirSync(BUILT_PACKAGE, { recursive: true });
  for (const part of ['bin', 'package.json'])
    cpSync(join(PROJECT, part), join(BUILT_PACKAGE, part), { recursive: true });
  for (const part of ['docs', 'models'])
    symlinkSync(join(PROJECT, part), join(BUILT_PACKAGE, part), 'junction');
  node(
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--outDir',
    join(BUILT_PACKAGE, 'dist'),
  );
  node('scripts/prune-declarations.ts', BUILT_PACKAGE);
  node('scripts/bundle-command.ts', BUILT_PACKAGE);
  // Before the next `npm ci`, a checkout may lack the packages of the page. Then only the tests of the page fail.
  if (existsSync(join(PROJECT, 'node_modules/preact'))) node('scripts/build-page.ts', BUILT_PACKAGE);
  writeFileSync(STAMP, '');
}

function isFresh(): boolean {
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return globSync(INPUTS, { cwd: PROJECT }).every((file) => statSync(join(PROJECT, file)).mtimeMs < built);
}

function node(...args: readonly string[]): void {
  execFileSync(process.execPath, args, { cwd: PROJECT, stdio: ['ignore', 'ignore', 'inherit'] });
}
