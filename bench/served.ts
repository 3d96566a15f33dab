/** A `docfuse serve` of its own process over synthetic documents, for benchmarks. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWords, type Words, writeDocuments } from './synthetic-documents.ts';

export const BIN = join(import.meta.dirname, '../bin/docfuse.js');

export interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  readonly documents: string;
  /** The environment the server was started in: its user's folders are its own. */
  readonly env: NodeJS.ProcessEnv;
  readonly words: Words;
  stop(): Promise<void>;
}

/** Ready when every passage has its vector. */
export async function startServed(count: number): Promise<Served> {
  const home = await mkdtemp(join(tmpdir(), 'docfuse-served-'));
  const words = createWords();
  const documents = await writeDocuments(join(home, 'documents'), count, words);
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child = fork(BIN, ['serve', documents, '--port', '0', '--json'], { env, silent: true });
  const line = await new Promise<string>((resolve) =>
    child.stdout!.once('data', (data) => resolve(String(data))),
  );
  const { url } = JSON.parse(line) as { url: string };
  for (;;) {
    const { index, server } = (await (await fetch(`${url}/api/status`)).json()) as {
      index: { documents: number; stale: boolean };
      server: { activity: { state: string } };
    };
    if (index.documents === count && !index.stale && server.activity.state === 'idle') break;
    await sleep(500);
  }
  return {
    ...{ url, child, documents, env, words },
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      await rm(home, { recursive: true });
    },
  };
}
