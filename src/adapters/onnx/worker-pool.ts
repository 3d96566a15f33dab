/** Embeds passages in worker threads, because a run of the model blocks its thread; threads start when there is work. */
import { extname } from 'node:path';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { DocfuseError } from '../../core/errors.ts';
import type { EmbedReply, EmbedRequest, EmbedWorkerData } from './embed-worker.ts';
import type { ModelFolder } from './model-folder.ts';
import { createPassageJob, type PassageJob } from './passage-job.ts';
import { createRunGate, type RunGate, stopThread, stopThreadNow } from './run-gate.ts';

export interface WorkerPool {
  /** Returns the vectors in the order of the texts. Calls may overlap: a later call uses the idle threads of an earlier call. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** Ends the threads; unfinished calls are rejected. */
  close(): Promise<void>;
}

interface Member {
  readonly worker: Worker;
  readonly gate: RunGate;
  /** Groups that were sent and not answered yet, by request id. */
  readonly pending: Map<number, { readonly job: PassageJob; readonly members: readonly number[] }>;
}

/** Max groups sent to a thread: one that it embeds and the next one, so it need not wait for its next group. */
const GROUPS_IN_FLIGHT = 2;

/** The file beside this one: `.ts` when run from source, `.js` when built. */
const WORKER_FILE = new URL(`./embed-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * @param size maximum number of threads, 1 or more
 * @param file file that the threads run; it follows the protocol of `embed-worker.ts`
 */
export function createWorkerPool(model: ModelFolder, size: number, file: URL = WORKER_FILE): WorkerPool {
  const members: Member[] = [];
  const jobs = new Set<PassageJob>();
  let requests = 0;
  let closed = false;
  process.once('exit', stopNow);

  function dispatch(): void {
    for (const job of jobs) {
      while (job.waiting > 0) {
        const member = idlest();
        if (member === undefined) return;
        send(member, job);
      }
    }
  }

  /**
   * Returns the thread for the next group: an idle, a new or the least busy thread; undefined if all threads have enough work.
   */
  function idlest(): Member | undefined {
    const free = members.toSorted((a, b) => a.pending.size - b.pending.size)[0];
    if (free?.pending.size === 0) return free;
    if (members.length < size) return start();
    return free !== undefined && free.pending.size < GROUPS_IN_FLIGHT ? free : undefined;
  }

  function start(): Member {
    const gate = createRunGate();
    const workerData: EmbedWorkerData = { model, gate };
    // `execArgv`: the thread must not get the flags of this process, such as `--eval` and loaders.
    const worker = new Worker(file, { workerData, name: 'docfuse-embed', execArgv: [], env: SHARE_ENV });
    const member: Member = { worker, gate, pending: new Map() };
    worker.on('message', (reply: EmbedReply) => receive(member, reply));
    worker.on('error', (cause) => lose(member, cause));
    worker.on('exit', (code) => lose(member, new Error(`exit code ${code}`)));
    members.push(member);
    return member;
  }

  function send(member: Member, job: PassageJob): void {
    const group = job.take(size);
    const request: EmbedRequest = { id: requests, texts: group.texts };
    requests += 1;
    member.pending.set(request.id, { job, members: group.members });
    member.worker.ref();
    member.worker.postMessage(request);
  }

  function receive(member: Member, reply: EmbedReply): void {
    const group = member.pending.get(reply.id);
    member.pending.delete(reply.id);
    // An idle thread must not keep the process alive. While the pool closes, its threads keep it alive until they have ended.
    if (member.pending.size === 0 && !closed) member.worker.unref();
    if (group !== undefined && 'vectors' in reply) group.job.put(group.members, reply.vectors);
    else if (group !== undefined && 'failure' in reply) {
      const { code, message, remedy } = reply.failure;
      group.job.fail(new DocfuseError(code, message, remedy));
    }
    dispatch();
  }

  /** Handles the end of a thread: jobs with groups on this thread fail, and other jobs continue on other threads. */
  function lose(member: Member, cause: Error): void {
    const at = members.indexOf(member);
    if (at >= 0) members.splice(at, 1);
    const error = new DocfuseError(
      'internal',
      `An embedding thread ended unexpectedly: ${cause.message}`,
      'Try again; finished work is kept. If memory is short, set embedding.threads to 1.',
      { cause },
    );
    for (const { job } of member.pending.values()) job.fail(error);
    member.pending.clear();
    if (!closed) dispatch();
  }

  function stopNow(): void {
    for (const { gate } of members) stopThreadNow(gate);
  }

  return {
    async embed(texts, signal) {
      if (closed) throw stopped('The embedder is closed.');
      if (signal?.aborted) throw stopped('Embedding was stopped.', signal.reason);
      const job = createPassageJob(texts);
      const abort = () => job.fail(stopped('Embedding was stopped.', signal?.reason));
      signal?.addEventListener('abort', abort, { once: true });
      jobs.add(job);
      try {
        dispatch();
        return await job.vectors;
      } finally {
        signal?.removeEventListener('abort', abort);
        jobs.delete(job);
      }
    },
    async close() {
      closed = true;
      for (const job of jobs) job.fail(stopped('The embedder was closed.'));
      for (const { worker } of members) worker.ref();
      await Promise.all(members.map(({ gate }) => stopThread(gate)));
      await Promise.all(members.map(({ worker }) => worker.terminate()));
      process.off('exit', stopNow);
    },
  };
}

/** Returns the error for work that was stopped. */
export function stopped(message: string, cause?: unknown): DocfuseError {
  return new DocfuseError('aborted', message, 'Try again; finished work is kept.', { cause });
}
