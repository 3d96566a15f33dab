/** What a running server does to keep its index up to date, seen from outside. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';
import type { DocumentChange } from '../../engine/api.ts';
import type { OperationControl } from '../operations/operation.ts';
import { status } from '../operations/status.ts';
import { askServer } from './ask-server.ts';
import { readEvents } from './read-events.ts';
import { RUN_HEADER } from './request-json.ts';
import { sendRequest } from './send-request.ts';
import type { ServerLock } from './server-lock.ts';

const LOOK_EVERY_MS = 250;

/**
 * Resolves when the server has nothing left to read and to embed, is gone, or cannot say: of a damaged index, for one.
 * @throws whatever the signal was aborted with
 */
export async function untilIdle(server: ServerLock, { signal, onProgress }: OperationControl): Promise<void> {
  for (;;) {
    const answer = await askServer(server, status, {}, signal && { signal }).catch(overloaded);
    signal?.throwIfAborted();
    if (answer === undefined) return;
    const { state, done, total } = (answer !== 'overloaded' && answer.server?.activity) || {};
    if (state === 'idle') return;
    if (state && done !== undefined && total !== undefined)
      onProgress?.({ phase: state === 'reading' ? 'read' : 'embed', done, total });
    await sleep(LOOK_EVERY_MS, undefined, signal && { signal });
  }
}

function overloaded(error: unknown): 'overloaded' | undefined {
  if (!(error instanceof DocfuseError)) throw error;
  return error.code === 'index_busy' ? 'overloaded' : undefined;
}

/**
 * Tells of documents that the server read anew or forgot, until it goes away or the signal comes.
 * @returns whether it told at all
 */
export async function listenForChanges(
  server: ServerLock,
  onChanges: (changes: readonly DocumentChange[]) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const request = { method: 'GET', path: '/api/events', accept: 'text/event-stream', signal } as const;
  const answer = await sendRequest(server, request).catch(() => undefined);
  if (answer?.statusCode !== 200 || answer.headers[RUN_HEADER] !== server.run) {
    answer?.destroy();
    return false;
  }
  try {
    for await (const { event, data } of readEvents(answer.setEncoding('utf8'))) {
      if (event === 'changed')
        onChanges((data as { readonly documents: readonly DocumentChange[] }).documents);
    }
  } catch {} // it ended in the middle, or the signal came
  return true;
}
