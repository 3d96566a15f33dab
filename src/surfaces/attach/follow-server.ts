/** Waits for processes that write the index, such as a running server, and follows the changes of a server to documents. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';
import type { DocumentChange } from '../../engine/api.ts';
import type { OperationProgress } from '../operations/operation.ts';
import { status } from '../operations/status.ts';
import { askServer } from './ask-server.ts';
import type { KnownServer } from './discovery-file.ts';
import { readEvents } from './read-events.ts';
import { answers, sendRequest } from './send-request.ts';

const LOOK_EVERY_MS = 250;
const RETRY_MS = 500;

export interface WaitOptions {
  readonly findServer: () => KnownServer | undefined;
  /** Whether to wait until the server has also embedded all passages. */
  readonly embed: boolean;
  readonly note: (line: string) => void;
  readonly onProgress?: (progress: OperationProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Waits until a running server is idle, reports the server's progress meanwhile, then calls `work`. Calls `work` again while
 * another process holds the index.
 * @throws other errors of `work`; the reason of `signal` if it is aborted
 */
export async function waitForWriters<T>(work: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { findServer, note, signal } = options;
  let said = false;
  const say = (line: string) => {
    if (!said) note(line);
    said = true;
  };
  for (;;) {
    const server = findServer();
    if (server && (await answers(server))) {
      say(`A server keeps this index up to date (process ${server.pid}).`);
      await untilIdle(server, options);
    }
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DocfuseError) || error.code !== 'index_busy') throw error;
      say(`${error.message} Waiting until that process is done; Ctrl-C stops waiting.`);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/**
 * Waits until the server has nothing left to read and, with `embed`, nothing left to embed. Also ends if the server is gone or
 * fails, for example because its index is damaged.
 * @throws the reason of `signal` if it is aborted
 */
async function untilIdle(server: KnownServer, { signal, onProgress, embed }: WaitOptions): Promise<void> {
  for (;;) {
    const answer = await askServer(server, status, {}, { signal }).catch(overloaded);
    signal.throwIfAborted();
    if (answer === undefined) return;
    const { state, done, total } = (answer !== 'overloaded' && answer.server?.activity) || {};
    if (state === 'idle' || (state === 'embedding' && !embed)) return;
    if (state && done !== undefined && total !== undefined)
      onProgress?.({ phase: state === 'reading' ? 'read' : 'embed', done, total });
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

function overloaded(error: unknown): 'overloaded' | undefined {
  if (!(error instanceof DocfuseError)) throw error;
  return error.code === 'index_busy' ? 'overloaded' : undefined;
}

export interface ChangeCallbacks {
  /** Called with the documents that the server added, read again or removed. */
  onChanges(changes: readonly DocumentChange[]): void;
  /** Called if some changes are not reported: the server no longer has them, or another server has started. */
  onMissed(): void;
}

export type ChangeStream = NonNullable<Awaited<ReturnType<typeof openChanges>>>;

export interface ChangesOptions {
  readonly signal: AbortSignal;
  /** Id of the last event of an earlier stream; the new stream starts with the events after it. */
  readonly after?: string | undefined;
  /** Milliseconds without data after which the stream ends. @default 45000, the time of three heartbeats */
  readonly silenceMs?: number;
}

const SILENCE_MS = 45_000;

/** Opens a stream of changes; undefined if the server refuses or does not answer. */
export async function openChanges(
  server: KnownServer,
  { signal, after, silenceMs = SILENCE_MS }: ChangesOptions,
) {
  // Check first: a server that hangs accepts the connection but sends nothing.
  if (!(await answers(server))) return undefined;
  const answer = await sendRequest(server, {
    method: 'GET',
    path: '/api/events',
    accept: 'text/event-stream',
    signal,
    ...(after !== undefined && { headers: { 'last-event-id': after } }),
  }).catch(() => undefined);
  if (answer?.statusCode !== 200) {
    answer?.destroy();
    return undefined;
  }
  // Until `follow` is called, the open stream must not keep the process alive.
  answer.socket.unref();
  return {
    /**
     * Reports changes since the stream was opened. Ends when the server is gone or silent, or when `signal` is aborted.
     * @returns id of the last event, for the option `after` of the next stream
     */
    async follow({ onChanges, onMissed }: ChangeCallbacks): Promise<string | undefined> {
      let lastId = after;
      answer.socket.ref();
      answer.setEncoding('utf8').setTimeout(silenceMs, () => answer.destroy());
      try {
        for await (const { event, data } of readEvents(answer, (id) => (lastId = id))) {
          if (event === 'reset') onMissed();
          if (event === 'changed')
            onChanges((data as { readonly documents: readonly DocumentChange[] }).documents);
        }
      } catch {} // the stream was interrupted, or the signal was aborted
      return lastId;
    },
  };
}
