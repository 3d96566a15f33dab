/** A `docfuse serve` of its own process over synthetic documents, for benchmarks. */
import { type ChildProcess, fork } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { type Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWords, type Words, writeDocuments } from './synthetic-documents.ts';

const ROOT = join(import.meta.dirname, '..');
export const BIN = join(ROOT, 'bin/docfuse.js');

export interface ServeOptions {
  /** Serve what `npm run build` built, as an installed package would, and not the sources. @default false */
  readonly packaged?: boolean;
}

export interface Served {
  /** What serves, and what may attach to it. */
  readonly bin: string;
  readonly url: string;
  readonly child: ChildProcess;
  readonly documents: string;
  /** The environment the server was started in: its user's folders are its own. */
  readonly env: NodeJS.ProcessEnv;
  readonly words: Words;
  /** What the server still needs: used heap and array buffers after a full collection of garbage. */
  heapMegabytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Ready when every passage has its vector. */
export async function startServed(count: number, { packaged = false }: ServeOptions = {}): Promise<Served> {
  const home = await mkdtemp(join(tmpdir(), 'docfuse-served-'));
  const words = createWords();
  const documents = await writeDocuments(join(home, 'documents'), count, words);
  const env = {
    ...process.env,
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
  };
  const bin = packaged ? await installPackage(join(home, 'package')) : BIN;
  const child = fork(bin, ['serve', documents, '--port', '0', '--json'], {
    ...{ env, silent: true },
    execArgv: ['--inspect=127.0.0.1:0'],
  });
  const inspector = new Promise<string>((resolve) => {
    child.stderr!.on('data', (data) => {
      const address = /ws:\S+/.exec(String(data))?.[0];
      if (address) resolve(address);
    });
  });
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
    ...{ bin, url, child, documents, env, words },
    heapMegabytes: async () => heapMegabytes(await inspector),
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      await rm(home, { recursive: true });
    },
  };
}

/** Links to models and dependencies, and copies the rest, so that no sources lie beside it. */
async function installPackage(folder: string): Promise<string> {
  for (const part of ['bin', 'dist', 'package.json']) {
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  }
  for (const part of ['models', 'node_modules']) await symlink(join(ROOT, part), join(folder, part));
  return join(folder, 'bin/docfuse.js');
}

async function heapMegabytes(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const commands = ['HeapProfiler.collectGarbage', 'HeapProfiler.collectGarbage', 'Runtime.getHeapUsage'];
  let answer: { readonly usedSize: number; readonly backingStorageSize: number } | undefined;
  for (const [id, method] of commands.entries()) {
    const told = new Promise<MessageEvent>((resolve) =>
      socket.addEventListener('message', resolve, { once: true }),
    );
    socket.send(JSON.stringify({ id, method }));
    answer = JSON.parse(String((await told).data)).result;
  }
  socket.close();
  return Math.round((answer!.usedSize + answer!.backingStorageSize) / 1e5) / 10;
}

/** Whether a GET is answered with 200. */
export function isAnswered(url: string, agent: Agent | false): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200));
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
