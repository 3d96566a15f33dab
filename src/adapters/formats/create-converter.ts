/**
 * Converts files to Markdown in child processes, each file within limits of time and memory. Threads are not safe: a thread that
 * allocates too much memory at once ends the whole process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatOf } from '../../core/model/formats.ts';
import type { Converter } from '../../core/ports.ts';
import type { ConvertReply, ConvertTask } from './convert-process.ts';

export interface ConverterOptions {
  /** Whether an optional package can be loaded. */
  readonly isInstalled: (name: string) => boolean;
  /** Max seconds for one file. @default 60 */
  readonly seconds?: number;
  /** Max heap of a process, in megabytes. @default 1024 */
  readonly megabytes?: number;
}

/** Max processes: with more than four, some would wait for the single thread that writes the index. */
const MAX_PROCESSES = Math.min(availableParallelism(), 4);
/** Exit code of Node if its heap is full. */
const OUT_OF_MEMORY = 134;
/** Milliseconds for which a process without work is kept. */
const IDLE_MS = 2_000;

const PROCESS_FILE = fileURLToPath(new URL(`./convert-process${extname(import.meta.url)}`, import.meta.url));

export function createConverter({
  isInstalled,
  seconds = 60,
  megabytes = 1024,
}: ConverterOptions): Converter {
  const idle = new Set<ChildProcess>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= MAX_PROCESSES) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  }

  async function ask(task: ConvertTask, signal: AbortSignal | undefined): Promise<ConvertReply> {
    signal?.throwIfAborted();
    const child = takeIdle() ?? start();
    const { promise, resolve, reject } = Promise.withResolvers<ConvertReply>();
    const onExit = (code: number | null, name: NodeJS.Signals | null) => {
      if (code === OUT_OF_MEMORY || name === 'SIGABRT')
        resolve({ problem: `reading it needs more than ${megabytes} MB` });
      else reject(new Error(`The converter process ended (${name ?? `exit code ${code}`}).`));
    };
    const onAbort = () => {
      child.kill('SIGKILL');
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve({ problem: `reading it takes more than ${seconds} s` });
    }, seconds * 1000);
    child.once('message', resolve);
    child.once('exit', onExit);
    child.once('error', reject);
    signal?.addEventListener('abort', onAbort, { once: true });
    child.send(task, () => {}); // ignores the error: if the process has ended, `exit` reports it
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      child.removeAllListeners();
      if (child.connected && !child.killed) keep(child);
    }
  }

  function start(): ChildProcess {
    return fork(PROCESS_FILE, {
      execArgv: [`--max-old-space-size=${megabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }

  function takeIdle(): ChildProcess | undefined {
    const [child] = [...idle].filter(({ connected }) => connected);
    if (!child) return undefined;
    idle.delete(child);
    child.ref();
    child.channel?.ref();
    return child;
  }

  /** Keeps a child process for the next file, without keeping this process alive. The child ends when its channel is closed. */
  function keep(child: ChildProcess): void {
    idle.add(child);
    child.unref();
    child.channel?.unref();
    setTimeout(() => idle.delete(child) && child.disconnect(), IDLE_MS).unref();
  }

  return {
    missingPackages: (path) => (formatOf(path)?.packages ?? []).filter((name) => !isInstalled(name)),
    async convert(path, bytes, signal) {
      const converter = formatOf(path)?.converter;
      return converter && inTurn(() => ask({ converter, path, bytes }, signal));
    },
  };
}
