/** Reads batches in worker threads, so that reading takes all cores and this thread is free to write and to answer. */
import { extname } from 'node:path';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { ReadBatch } from '../../core/read-batch.ts';
import type { BatchReader } from '../workspace/workspace-parts.ts';
import type { ReadingSettings, ReadReply, ReadRequest } from './read-worker.ts';

interface Thread {
  readonly worker: Worker;
  /** Whether it has said that it reads. */
  isReady: boolean;
  /** Sent and not yet answered, by request id. */
  readonly pending: Map<number, PromiseWithResolvers<ReadBatch> & Pick<ReadRequest, 'texts'>>;
}

/** One batch in work and one waiting, so that a thread never waits for this one. */
const BATCHES_IN_FLIGHT = 2;

/** The file beside this one: `.ts` when run from source, `.js` when built. */
const WORKER_FILE = new URL(`./read-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * @param here reads what was sent to a thread that could not start; no other one is started then
 * @param file what the threads run, in the protocol of `read-worker.ts`
 */
export function createReadingThreads(
  count: number,
  { collections, chunking }: ReadingSettings,
  here: BatchReader,
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

  /** Starts another thread where all are busy and there may be more; undefined where none can start. */
  function leastBusy(): Thread | undefined {
    const [idlest] = threads.toSorted((a, b) => a.pending.size - b.pending.size);
    if (idlest?.pending.size === 0 || threads.length >= maxThreads) return idlest;
    try {
      // Flags of this process (`--eval`, loaders) are not for the thread.
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

  /** What a thread that was ready had is lost, and the next batch starts another thread. Texts of one that never was are read in this thread. */
  function lose(thread: Thread, cause: Error): void {
    const at = threads.indexOf(thread);
    if (at < 0) return;
    threads.splice(at, 1);
    const isLost = thread.isReady || closing !== undefined;
    if (!isLost) giveUp(cause);
    const reason = signal?.aborted
      ? signal.reason
      : new Error(`The thread that read it ended: ${cause.message}`);
    for (const { texts, resolve, reject } of thread.pending.values()) {
      if (isLost) reject(reason);
      else here.read(texts).then(resolve, reject);
    }
  }

  /** Where one thread cannot start, others would not either. */
  function giveUp(cause: unknown): void {
    maxThreads = threads.length;
    problem ??= `A thread to read in could not start (${cause instanceof Error ? cause.message : cause}), so reading takes longer.`;
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
      if (!thread) return here.read(texts);
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
