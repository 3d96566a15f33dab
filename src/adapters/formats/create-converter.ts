/**
 * Converts files to Markdown in processes of their own, each file within limits of time and memory. A thread would not do: one
 * that needs too much memory at once ends the whole process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatOf } from '../../core/model/formats.ts';
import type { Converter } from '../../core/ports.ts';
import type { ConvertReply, ConvertTask } from './convert-process.ts';

export interface ConverterOptions {
  /** Whether an optional package can be loaded. */
  readonly isInstalled: (name: string) => boolean;
  /** @default 60 */
  readonly seconds?: number;
  /** Max heap of a process. @default 1024 */
  readonly megabytes?: number;
}

/** With more processes, some would wait for the thread that writes. */
const MAX_PROCESSES = Math.min(availableParallelism(), 4);
/** How long a process without work is kept. */
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

  async function ask(task: ConvertTask): Promise<ConvertReply> {
    const child = takeIdle() ?? start();
    const ended = new AbortController();
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    try {
      const { signal } = ended;
      const exit = once(child, 'exit', { signal }).then(([, name]) => ({ problem: whyEnded(name) }));
      const reply = once(child, 'message', { signal }).then(([answer]) => answer as ConvertReply);
      exit.catch(() => {});
      reply.catch(() => {});
      child.send(task, () => {}); // if the process has ended, `exit` says so
      return await Promise.race([exit, reply]);
    } finally {
      clearTimeout(timer);
      ended.abort();
      if (child.connected) keep(child);
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

  /** Keeps a process for the next file. It does not keep this process alive, and ends when its channel is closed. */
  function keep(child: ChildProcess): void {
    idle.add(child);
    child.unref();
    child.channel?.unref();
    setTimeout(() => idle.delete(child) && child.disconnect(), IDLE_MS).unref();
  }

  function whyEnded(signal: NodeJS.Signals | null): string {
    if (signal === 'SIGKILL') return `reading it takes more than ${seconds} s`;
    return `reading it needs more than ${megabytes} MB`;
  }

  return {
    missingPackages: (path) => (formatOf(path)?.packages ?? []).filter((name) => !isInstalled(name)),
    async convert(path, bytes) {
      const converter = formatOf(path)?.converter;
      return converter && inTurn(() => ask({ converter, path, bytes }));
    },
  };
}
