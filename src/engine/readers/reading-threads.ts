/** Reads batches in worker threads, so that reading takes all cores and this thread is free to write and to answer. */
import { extname } from 'node:path';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { ReadBatch } from '../../core/read-batch.ts';
import type { BatchReader } from '../workspace/workspace.ts';
import type { ReadingSettings, ReadReply, ReadRequest } from './read-worker.ts';

interface Thread {
  readonly worker: Worker;
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
  settings: ReadingSettings,
  here: BatchReader,
  signal?: AbortSignal,
  file: URL = WORKER_FILE,
): BatchReader {
  const threads: Thread[] = [];
  const ready = new Set<Thread>();
  let most = count;
  let problem: string | undefined;
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

  function receive(thread: Thread, reply: ReadReply): void {
    if ('ready' in reply) {
      ready.add(thread);
      return;
    }
    const { pending } = thread;
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ('batch' in reply) waiting?.resolve(reply.batch);
    else waiting?.reject(new Error(reply.failure));
  }

  /** What it had is lost, and the next batch starts another one; what it never began is read in this thread. */
  function lose(thread: Thread, cause: Error): void {
    if (!threads.includes(thread)) return;
    threads.splice(threads.indexOf(thread), 1);
    const isStopped = signal?.aborted || closing !== undefined;
    const hasBegun = ready.delete(thread) || isStopped;
    if (!hasBegun) giveUp(cause);
    const reason = signal?.aborted
      ? signal.reason
      : new Error(`The thread that read it ended: ${cause.message}`);
    for (const { texts, resolve, reject } of thread.pending.values()) {
      if (hasBegun) reject(reason);
      else here.read(texts).then(resolve, reject);
    }
    thread.pending.clear();
  }

  /** Where one cannot start, others would not either. */
  function giveUp(cause: unknown): void {
    most = threads.length;
    problem ??= `A thread to read in could not start (${cause instanceof Error ? cause.message : cause}), so reading takes longer.`;
  }

  function startOrGiveUp(): Thread | undefined {
    try {
      return start();
    } catch (error) {
      giveUp(error);
      return threads[0];
    }
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
      const isEnough = idlest?.pending.size === 0 || threads.length >= most;
      const thread = isEnough ? idlest : startOrGiveUp();
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
