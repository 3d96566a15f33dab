/** Follows what a running server does to keep its index up to date. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';
import type { DocumentChange } from '../../engine/api.ts';
import type { OperationControl } from '../operations/operation.ts';
import { status } from '../operations/status.ts';
import { askServer } from './ask-server.ts';
import { readEvents } from './read-events.ts';
import { answers, sendRequest } from './send-request.ts';
import type { KnownServer } from './server-proof.ts';

const LOOK_EVERY_MS = 250;

/**
 * Resolves when the server has nothing left to read and, unless vectors do not matter, to embed; when it is gone, or cannot say:
 * of a damaged index, for one.
 * @throws whatever the signal was aborted with
 */
export async function untilIdle(
  server: KnownServer,
  { signal, onProgress, embed = true }: OperationControl & { readonly embed?: boolean },
): Promise<void> {
  for (;;) {
    const answer = await askServer(server, status, {}, signal && { signal }).catch(overloaded);
    signal?.throwIfAborted();
    if (answer === undefined) return;
    const { state, done, total } = (answer !== 'overloaded' && answer.server?.activity) || {};
    if (state === 'idle' || (state === 'embedding' && !embed)) return;
    if (state && done !== undefined && total !== undefined)
      onProgress?.({ phase: state === 'reading' ? 'read' : 'embed', done, total });
    await sleep(LOOK_EVERY_MS, undefined, signal && { signal });
  }
}

function overloaded(error: unknown): 'overloaded' | undefined {
  if (!(error instanceof DocfuseError)) throw error;
  return error.code === 'index_busy' ? 'overloaded' : undefined;
}

/** Receives what happens to the documents of a server. */
export interface Told {
  /** Documents that the server added, read again or removed. */
  onChanges(changes: readonly DocumentChange[]): void;
  /** Some changes were missed: the server has forgotten them, or another server has started. */
  onMissed(): void;
}

export interface ChangeStream {
  /**
   * Tells what has happened since the stream was opened, until the server goes away or is silent, or the signal comes.
   * @returns where it ended, for the stream that follows it
   */
  follow(told: Told): Promise<string | undefined>;
}

export interface ChangesOptions {
  readonly signal: AbortSignal;
  /** Where an earlier stream ended. This one then begins with what happened since. */
  readonly after?: string | undefined;
  /** Milliseconds without a sign of life after which the server counts as gone. @default 45000, three times the time between two signs */
  readonly silenceMs?: number;
}

const SILENCE_MS = 45_000;

/** Opens a stream of changes; undefined if the server does not answer. */
export async function openChanges(
  server: KnownServer,
  { signal, after, silenceMs = SILENCE_MS }: ChangesOptions,
): Promise<ChangeStream | undefined> {
  // A server that hangs would accept the connection and send nothing.
  if (!(await answers(server))) return undefined;
  const answer = await sendRequest(server, {
    ...{ method: 'GET', path: '/api/events', accept: 'text/event-stream', signal },
    ...(after !== undefined && { headers: { 'last-event-id': after } }),
  }).catch(() => undefined);
  if (answer?.statusCode !== 200) {
    answer?.destroy();
    return undefined;
  }
  // An open stream must not keep the process alive before it is followed.
  answer.socket.unref();
  return {
    async follow({ onChanges, onMissed }) {
      let stand = after;
      answer.socket.ref();
      answer.setEncoding('utf8').setTimeout(silenceMs, () => answer.destroy());
      try {
        for await (const { event, data } of readEvents(answer, (id) => (stand = id))) {
          if (event === 'reset') onMissed();
          if (event === 'changed')
            onChanges((data as { readonly documents: readonly DocumentChange[] }).documents);
        }
      } catch {} // the stream broke off, or the signal was aborted
      return stand;
    },
  };
}
