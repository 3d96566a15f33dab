/** Runs a model over texts in worker threads, because a run blocks its thread; threads start when there is work. */
import { extname } from 'node:path';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { DocfuseError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/one-line.ts';
import type { ModelOfPool, ModelReply, ModelRequest, ModelWorkerData } from './model-worker.ts';
import { createRunGate, type RunGate, stopThread, stopThreadNow } from './run-gate.ts';

export type WorkerPool = ReturnType<typeof createWorkerPool>;
type PassageJob = ReturnType<typeof createPassageJob>;

interface Member {
  readonly worker: Worker;
  readonly gate: RunGate;
  /** Groups that were sent and not answered yet, by request id. */
  readonly pending: Map<number, { readonly job: PassageJob; readonly group: Group }>;
}

/** Texts that a thread gets together, and their positions in the call. */
interface Group {
  readonly members: readonly number[];
  readonly texts: readonly string[];
  /** Whether a thread ended while it worked on this text. */
  readonly isSuspect?: boolean;
}

/** Max groups sent to a thread: the one that it works on, and one more, so that the thread never waits. */
const GROUPS_IN_FLIGHT = 2;

/** The file beside this one: `.ts` when run from source, `.js` when built. */
const WORKER_FILE = new URL(`./model-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * @param size maximum number of threads, 1 or more
 * @param file file that the threads run; it follows the protocol of `model-worker.ts`
 */
export function createWorkerPool(model: ModelOfPool, size: number, file: URL = WORKER_FILE) {
  const members: Member[] = [];
  const jobs = new Set<PassageJob>();
  let requests = 0;
  let closed = false;
  process.once('exit', stopNow);

  function dispatch(): void {
    for (const job of jobs) {
      try {
        while (job.waiting > 0) {
          const member = idlest();
          if (member === undefined) return;
          send(member, job);
        }
      } catch (cause) {
        // A thread that runs takes the work as soon as it is idle.
        if (members.length > 0) return;
        const message = `The system gives no thread for the ${model.kind} model (${(cause as Error).message}).`;
        job.fail(new DocfuseError('internal', message, MEMORY, { cause }));
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
    const workerData: ModelWorkerData = { model, gate };
    // Without `execArgv`, the thread would inherit flags of this process, such as `--eval` and loaders.
    const worker = new Worker(file, {
      workerData,
      name: `docfuse-${model.kind}`,
      execArgv: [],
      env: SHARE_ENV,
    });
    const member: Member = { worker, gate, pending: new Map() };
    worker.on('message', (reply: ModelReply) => receive(member, reply));
    worker.on('error', (cause) => lose(member, cause));
    worker.on('exit', (code) => lose(member, new Error(`exit code ${code}`)));
    members.push(member);
    return member;
  }

  function send(member: Member, job: PassageJob): void {
    const group = job.take(size);
    const request: ModelRequest = { id: requests, texts: group.texts };
    requests += 1;
    member.pending.set(request.id, { job, group });
    member.worker.ref();
    member.worker.postMessage(request);
  }

  function receive(member: Member, reply: ModelReply): void {
    const sent = member.pending.get(reply.id);
    member.pending.delete(reply.id);
    // An idle thread must not keep the process alive. But the threads of a closing pool keep it alive until they have ended.
    if (member.pending.size === 0 && !closed) member.worker.unref();
    if (sent !== undefined && 'vectors' in reply) sent.job.put(sent.group.members, reply.vectors);
    else if (sent !== undefined && 'failure' in reply) {
      const { code, message, remedy } = reply.failure;
      sent.job.fail(new DocfuseError(code, message, remedy));
    }
    dispatch();
  }

  /**
   * Handles the end of a thread. Other threads get its texts, and those that it worked on one by one: if one of these ends its
   * thread too, its job fails.
   */
  function lose(member: Member, cause: Error): void {
    const at = members.indexOf(member);
    if (at >= 0) members.splice(at, 1);
    const [current, ...waiting] = member.pending.values();
    member.pending.clear();
    for (const { job, group } of waiting) job.giveBack([group]);
    if (current?.group.isSuspect) current.job.fail(endedTwice(current.group, cause));
    else current?.job.giveBack(alone(current.group));
    if (!closed) dispatch();
  }

  function endedTwice({ texts: [text = ''] }: Group, cause: Error): DocfuseError {
    const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
    // The text of a reranker begins with the query, which no log shows.
    const said = model.kind === 'embedding' ? `this text: ${oneLine(shown)}` : 'a passage.';
    return new DocfuseError(
      'internal',
      `A thread of the ${model.kind} model ended twice (${cause.message}) while it worked on ${said}`,
      `Finished work is kept. ${MEMORY}`,
      { cause },
    );
  }

  function stopNow(): void {
    for (const { gate } of members) stopThreadNow(gate);
  }

  return {
    /** Returns the vectors in the order of the texts. Calls may overlap: a later call uses the idle threads of an earlier call. */
    async embed(texts: readonly string[], signal?: AbortSignal) {
      if (closed) throw stopped('The model is closed.');
      if (signal?.aborted) throw stopped('The work was stopped.', signal.reason);
      const job = createPassageJob(texts);
      const abort = () => job.fail(stopped('The work was stopped.', signal?.reason));
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
    /** Ends the threads; unfinished calls are rejected. */
    async close() {
      closed = true;
      for (const job of jobs) job.fail(stopped('The model was closed.'));
      for (const { worker } of members) worker.ref();
      await Promise.all(members.map(({ gate }) => stopThread(gate)));
      await Promise.all(members.map(({ worker }) => worker.terminate()));
      process.off('exit', stopNow);
    },
  };
}

/** Max length of the text that an error shows, in UTF-16 units. */
const MAX_SHOWN = 80;
const MEMORY = 'If memory is short, set embedding.threads to 1.';

function alone({ members, texts }: Group): readonly Group[] {
  return members.map((member, at) => ({ members: [member], texts: [texts[at]!], isSuspect: true }));
}

export function stopped(message: string, cause?: unknown): DocfuseError {
  return new DocfuseError('aborted', message, 'Try again; finished work is kept.', { cause });
}

/** Limits for a group, in characters: about one to eight batches of English text. Only the threads count tokens. */
const MIN_CHARACTERS = 2_000;
const MAX_CHARACTERS = 16_000;

/**
 * Divides texts into groups for threads. Groups become smaller towards the end, so that all threads finish at about the same time
 * (guided self-scheduling, Polychronopoulos and Kuck 1987). A group has texts of similar lengths, so batches need little padding.
 */
export function createPassageJob(texts: readonly string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Float32Array[]>();
  const order = texts.map((_, index) => index).sort((a, b) => texts[b]!.length - texts[a]!.length || a - b);
  const vectors: Float32Array[] = new Array(texts.length);
  let characters = texts.reduce((sum, text) => sum + text.length, 0);
  let next = 0;
  let missing = texts.length;
  let hasFailed = false;
  /** Groups of threads that ended. */
  const returned: Group[] = [];
  if (missing === 0) resolve([]);

  return {
    /** Number of texts and of groups given back that `take` has not returned yet; 0 after a failure. */
    get waiting() {
      return hasFailed ? 0 : order.length - next + returned.length;
    },
    /** Resolves when the vectors of all groups are there; rejects at the first failure. */
    vectors: promise,
    /** Returns the next group for a thread, with the positions of its texts. @param workers number of threads sharing the texts */
    take(workers: number): Group {
      const again = returned.shift();
      if (again) return again;
      const share = characters / (2 * workers);
      const limit = Math.min(MAX_CHARACTERS, Math.max(MIN_CHARACTERS, share));
      const start = next;
      let taken = 0;
      // `+ 1`: an empty text has special tokens, which take time, too.
      while (next < order.length && (next === start || taken < limit)) {
        taken += texts[order[next]!]!.length + 1;
        next += 1;
      }
      characters -= taken;
      const members = order.slice(start, next);
      return { members, texts: members.map((index) => texts[index]!) };
    },
    giveBack(groups: readonly Group[]): void {
      returned.push(...groups);
    },
    /** Receives the vectors of a group, concatenated in one array. */
    put(members: readonly number[], flat: Float32Array<ArrayBuffer>): void {
      const dimensions = flat.length / members.length;
      // Copy each vector, because a view would keep the vectors of the whole group in memory.
      for (const [row, index] of members.entries())
        vectors[index] = flat.slice(row * dimensions, (row + 1) * dimensions);
      missing -= members.length;
      if (missing === 0) resolve(vectors);
    },
    fail(error: Error): void {
      hasFailed = true;
      reject(error);
    },
  };
}
