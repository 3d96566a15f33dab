/** Chooses where texts are read: few bytes in this thread, more bytes in worker threads. */
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { ReadBatch } from '../../core/read-batch.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { fastDigest, vectorKey } from '../workspace/vector-key.ts';
import type { BatchReader } from '../workspace/workspace-parts.ts';
import type { ReadingSettings, ReadReply, ReadRequest } from './read-worker.ts';

/**
 * Max bytes that are read in this thread. Each batch blocks the thread for some 20 ms, the first for longer. Two worker threads
 * take a quarter of a second to start, and each compiles the same code: with less text, they cost more than they save.
 */
const MAX_BYTES_HERE = 600_000;
/** Max reading threads. With more, some would wait for the writing thread. */
const MAX_THREADS = 4;

export function openReader(
  { analyzers, ...settings }: ReadingSettings & { readonly analyzers: Analyzers },
  bytes: number,
  signal?: AbortSignal,
): BatchReader {
  const rules = { analyzers, chunking: settings.chunking, hash: vectorKey, digest: fastDigest };
  const localReader: BatchReader = {
    width: 1,
    async read(texts) {
      await nextTurn();
      // Load the parsers only here, because a search that finds no changed files does not need them.
      const { readBatch } = await import('../../core/read-batch.ts');
      signal?.throwIfAborted();
      return readBatch(texts, rules);
    },
    async close() {},
  };
  const threads = Math.min(availableParallelism(), MAX_THREADS);
  return bytes > MAX_BYTES_HERE ? createReadingThreads(threads, settings, localReader, signal) : localReader;
}

interface Thread {
  readonly worker: Worker;
  /** Whether the thread has reported that it can read. */
  isReady: boolean;
  /** Unanswered requests by id. */
  readonly pending: Map<number, PromiseWithResolvers<ReadBatch> & Pick<ReadRequest, 'texts'>>;
}

/** Number of batches that a thread has at a time: it reads the first while the second waits, so that it is never idle. */
const BATCHES_IN_FLIGHT = 2;

/** The worker file in this folder: `.ts` if run from source, `.js` if built. */
const WORKER_FILE = new URL(`./read-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * @param localReader reads in this thread if a worker thread cannot start; no more threads are started then
 * @param file module that the threads run; it must use the messages of `read-worker.ts`
 */
export function createReadingThreads(
  count: number,
  { collections, chunking }: ReadingSettings,
  localReader: BatchReader,
  signal?: AbortSignal,
  file: URL = WORKER_FILE,
): BatchReader {
  const names = collections.map(({ name, language }) => ({ name, language }));
  const workerData: ReadingSettings = { collections: names, chunking };
  const threads: Thread[] = [];
  let maxThreads = count;
  let problem: string | undefined;
  let requests = 0;
  let closing: Promise<unknown> | undefined;
  signal?.addEventListener('abort', close, { once: true });

  /** Returns the thread with the fewest requests, or a new thread if all are busy. Undefined if no thread could start. */
  function leastBusy(): Thread | undefined {
    const [idlest] = threads.toSorted((a, b) => a.pending.size - b.pending.size);
    if (idlest?.pending.size === 0 || threads.length >= maxThreads) return idlest;
    try {
      // The thread must not inherit flags of this process, such as `--eval` and loaders.
      const worker = new Worker(file, { workerData, name: 'docfuse-read', execArgv: [], env: SHARE_ENV });
      const thread: Thread = { worker, isReady: false, pending: new Map() };
      worker.on('message', (reply: ReadReply) => receive(thread, reply));
      worker.on('error', (cause) => lose(thread, cause));
      worker.on('exit', (code) => lose(thread, new Error(`exit code ${code}`)));
      threads.push(thread);
      return thread;
    } catch (error) {
      giveUp(error);
      return idlest;
    }
  }

  function receive(thread: Thread, reply: ReadReply): void {
    if ('ready' in reply) {
      thread.isReady = true;
      return;
    }
    const waiting = thread.pending.get(reply.id);
    thread.pending.delete(reply.id);
    if ('batch' in reply) waiting?.resolve(reply.batch);
    else waiting?.reject(new Error(reply.failure));
  }

  /** Handles the end of a thread. If it was ready or is being closed, its requests fail; else `localReader` reads the texts. */
  function lose(thread: Thread, cause: Error): void {
    const at = threads.indexOf(thread);
    if (at < 0) return;
    threads.splice(at, 1);
    const isLost = thread.isReady || closing !== undefined;
    if (!isLost) giveUp(cause);
    const reason = signal?.aborted
      ? signal.reason
      : new Error(`The thread that was reading this file ended: ${cause.message}`);
    for (const { texts, resolve, reject } of thread.pending.values()) {
      if (isLost) reject(reason);
      else localReader.read(texts).then(resolve, reject);
    }
  }

  /** Stops starting threads: if one cannot start, others cannot either. */
  function giveUp(cause: unknown): void {
    maxThreads = threads.length;
    problem ??= `A reading thread could not start (${cause instanceof Error ? cause.message : cause}), so reading takes longer.`;
  }

  function close(): Promise<unknown> {
    closing ??= Promise.all(threads.map(({ worker }) => worker.terminate()));
    return closing;
  }

  return {
    width: count * BATCHES_IN_FLIGHT,
    read(texts) {
      signal?.throwIfAborted();
      const thread = leastBusy();
      if (!thread) return localReader.read(texts);
      const waiting = { ...Promise.withResolvers<ReadBatch>(), texts };
      const request: ReadRequest = { id: requests++, texts };
      thread.pending.set(request.id, waiting);
      thread.worker.postMessage(request);
      return waiting.promise;
    },
    problem: () => problem,
    async close() {
      signal?.removeEventListener('abort', close);
      await close();
    },
  };
}
