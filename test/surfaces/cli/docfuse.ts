/** Runs the real command in a folder of its own, as a user would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_PACKAGE } from '../../build-package.ts';
import { SMALL_ENV } from '../../support/small-model.ts';
import { writeFiles } from '../../support/write-files.ts';
import { executeHere, type Outcome } from './execute-here.ts';

/** The command as it is packed, which starts in two thirds of the time of its sources. */
export const BIN = join(BUILT_PACKAGE, 'bin/docfuse.js');

/** The same over its sources, for tests that look at which modules it loads. */
export const SOURCE_BIN = fileURLToPath(new URL('../../../bin/docfuse.js', import.meta.url));

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** User and group to run as. */
  readonly uid?: number;
  readonly gid?: number;
  /** Sees the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface Playground extends Disposable {
  readonly folder: string;
  /** Environment with everything of docfuse inside the folder. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes files by path, making folders. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** The same in the process of the test, in a fifth of the time: for tests of what is printed, not of the process. */
  runHere(args: readonly string[], options?: Pick<RunOptions, 'env'>): Promise<Outcome>;
}

/**
 * A temporary working directory, with the user's data and configuration folders inside it. Commands have the small model, which
 * an environment variable names, unless `packagedModel` is set: for tests that find by meaning, or leave the choice to others.
 */
export function createPlayground(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  { packagedModel = false }: { readonly packagedModel?: boolean } = {},
): Playground {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-cli-')));
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_DATA_HOME: join(folder, '.data'),
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_STATE_HOME: join(folder, '.state'),
    // Otherwise each playground would compile docfuse once more.
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(folder, '.cache'),
    ...(!packagedModel && SMALL_ENV),
  };
  const playground: Playground = {
    folder,
    env,
    write: (contents) => writeFiles(folder, contents),
    run: (args, { env: more, onStart, ...user } = {}) =>
      execute([BIN, ...args], { cwd: folder, env: { ...env, ...more }, ...user }, onStart),
    runHere: (args, { env: more } = {}) =>
      executeHere([BIN, ...args], { cwd: folder, env: { ...env, ...more } }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
  playground.write(files);
  return playground;
}

/** Runs Node with these arguments and gathers what it prints. */
export async function execute(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> } & Pick<
    RunOptions,
    'uid' | 'gid'
  >,
  onStart?: (child: ChildProcess) => void,
): Promise<Outcome> {
  const child = spawn(process.execPath, args, options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  onStart?.(child);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject);
  child.on('close', resolve);
  return { code: await promise, stdout, stderr };
}
