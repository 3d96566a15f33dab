/** The real command `serve`, for a test. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { BIN, type Playground } from './docfuse.ts';

export interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly lockFile: string;
  readonly exited: Promise<number | null>;
}

/** Starts a server that ends with the test. */
export async function startServe(
  playground: Playground,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const child = fork(BIN, ['serve', '--port', '0', '--json', ...args], {
    cwd: playground.folder,
    env: { ...playground.env, ...env },
    silent: true,
  });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const { url, index_path } = JSON.parse(await firstLine(child)) as { url: string; index_path: string };
  return { child, url, lockFile: join(index_path, 'server.json'), exited };
}

/** The first line that a child prints. Rejects with what it wrote to stderr if it ends before. */
export function firstLine(child: ChildProcess): Promise<string> {
  let errors = '';
  child.stderr!.on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.stdout!.once('data', (data) => resolve(String(data)));
    child.once('exit', () => reject(new Error(errors)));
  });
}
