/** Reads batches in worker threads, so that reading takes all cores and this thread is free to write and to answer. */
import { extname } from 'node:path';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { ReadBatch } from '../../core/read-batch.ts';
import type { BatchReader } from '../workspace/workspace.ts';
import type { ReadingSettings, ReadReply, ReadRequest } from './read-worker.ts';

interface Thread {
  readonly worker: Worker;
  /** Sent and not yet answered, by request id. */
  readonly pending: Map<number, PromiseWithResolvers<ReadBatch>>;
}

/** One batch in work and one waiting, so that a thread never waits for this one. */
const BATCHES_IN_FLIGHT = 2;

/** The file beside this one: `.ts` when run from source, `.js` when built. */
const WORKER_FILE = new URL(`./read-worker${extname(import.meta.url)}`, import.meta.url);

/** @param file what the threads run, in the protocol of `read-worker.ts` */
export function createReadingThreads(
  count: number,
  settings: ReadingSettings,
  signal?: AbortSignal,
  file: URL = WORKER_FILE,
): BatchReader {
  const threads: Thread[] = [];
  let requests = 0;
  let closing: Promise<unknown> | undefined;
  signal?.addEventListener('abort', close, { once: true });

  function start(): Thread {
    const { collections, chunking } = settings;
    const workerData: ReadingSettings = {
      collections: collections.map(({ name, language }) => ({ name, language })),
      chunking,
    };
    // Flags of this process (`--eval`, loaders) are not for the thread.
    const worker = new Worker(file, { workerData, name: 'docfuse-read', execArgv: [], env: SHARE_ENV });
    const thread: Thread = { worker, pending: new Map() };
    worker.on('message', (reply: ReadReply) => receive(thread, reply));
    worker.on('error', (cause) => lose(thread, cause));
    worker.on('exit', (code) => lose(thread, new Error(`exit code ${code}`)));
    threads.push(thread);
    return thread;
  }

  function receive({ pending }: Thread, reply: ReadReply): void {
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ('batch' in reply) waiting?.resolve(reply.batch);
    else waiting?.reject(new Error(reply.failure));
  }

  /** What it had is lost; the next batch starts another one. */
  function lose(thread: Thread, cause: Error): void {
    if (threads.includes(thread)) threads.splice(threads.indexOf(thread), 1);
    const reason = signal?.aborted
      ? signal.reason
      : new Error(`The thread that read it ended: ${cause.message}`);
    for (const { reject } of thread.pending.values()) reject(reason);
    thread.pending.clear();
  }

  function close(): Promise<unknown> {
    closing ??= Promise.all(threads.map(({ worker }) => worker.terminate()));
    return closing;
  }

  return {
    width: count * BATCHES_IN_FLIGHT,
    read(texts) {
      signal?.throwIfAborted();
      const idlest = threads.toSorted((a, b) => a.pending.size - b.pending.size)[0];
      const thread = idlest && (idlest.pending.size === 0 || threads.length === count) ? idlest : start();
      const waiting = Promise.withResolvers<ReadBatch>();
      const request: ReadRequest = { id: requests++, texts };
      thread.pending.set(request.id, waiting);
      thread.worker.postMessage(request);
      return waiting.promise;
    },
    async close() {
      signal?.removeEventListener('abort', close);
      await close();
    },
  };
}
