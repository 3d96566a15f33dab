/** Sends server-sent events to all listeners. A client that reconnects also gets the events that it missed. */
import type { OperationProgress } from '../operations/operation.ts';

export interface ServerEvent {
  readonly event: string;
  readonly data: object;
}

export interface EventLog {
  publish(event: ServerEvent): void;
  /**
   * Opens a stream of the events after `lastEventId`, or of new events only. If some events are lost, `reset` comes first: the
   * client should read everything again. If there are too many listeners, the slowest one is closed; it can reconnect.
   * @param network network of the client; undefined for a client on this machine
   */
  listen(lastEventId: string | undefined, network?: string): ReadableStream<Uint8Array>;
  /** Ends all streams. */
  close(): void;
}

export interface EventLogOptions {
  /** Id of this run of the server; the ids of events begin with it. */
  readonly run: string;
  /** Milliseconds between heartbeats. @default 15000 */
  readonly heartbeatMs?: number;
  /** @default 100 */
  readonly maxListeners?: number;
  /** Max listeners of one network; does not apply to clients on this machine. @default 16 */
  readonly maxPerNetwork?: number;
}

/** Number of events kept for clients that reconnect. */
const KEPT = 256;
/** Max unread bytes of a listener. Beyond it, the stream ends; the client reconnects with the id of the last event it got. */
const MAX_BEHIND = 256 * 1024;
const RETRY_MS = 2_000;
/** Shows that the server still works, and keeps proxies from closing a silent connection. */
export const HEARTBEAT = ': heartbeat\n\n';
export const HEARTBEAT_MS = 15_000;

export function createEventLog({
  run,
  heartbeatMs = HEARTBEAT_MS,
  maxListeners = 100,
  maxPerNetwork = 16,
}: EventLogOptions): EventLog {
  const kept: { readonly number: number; readonly text: string }[] = [];
  const listeners = new Set<EventStream & { readonly network: string | undefined }>();
  let last = 0;

  /** Returns the events after an id; undefined if some of them are no longer kept. */
  function missed(lastEventId: string): readonly string[] | undefined {
    const [seenRun, seen] = lastEventId.split(':');
    const number = Number(seen);
    if (seenRun !== run || !Number.isSafeInteger(number) || number > last) return undefined;
    if (number < last - kept.length) return undefined;
    return kept.filter((each) => each.number > number).map(({ text }) => text);
  }

  function makeRoom(network: string | undefined): void {
    const same = [...listeners].filter((each) => network !== undefined && each.network === network);
    const among = same.length >= maxPerNetwork ? same : [...listeners];
    if (among === same || listeners.size >= maxListeners) {
      among.sort((a, b) => a.room() - b.room())[0]?.end();
    }
  }

  return {
    publish({ event, data }) {
      const number = ++last;
      const text = `id: ${run}:${number}\n${eventText(event, data)}`;
      kept.push({ number, text });
      if (kept.length > KEPT) kept.shift();
      for (const listener of listeners) listener.send(text);
    },
    listen(lastEventId, network) {
      makeRoom(network);
      const stream = createEventStream(MAX_BEHIND, () => {
        clearInterval(heartbeat);
        listeners.delete(listener);
      });
      const listener = { ...stream, network };
      const heartbeat = setInterval(() => stream.send(HEARTBEAT), heartbeatMs);
      listeners.add(listener);
      const past = lastEventId === undefined ? [] : (missed(lastEventId) ?? [eventText('reset', {})]);
      // The last `id:` line gives the client an id to reconnect with, even if the stream ends before the first event.
      stream.send(`retry: ${RETRY_MS}\n\n${past.join('')}id: ${run}:${last}\n\n`);
      return stream.body;
    },
    close() {
      for (const { end } of [...listeners]) end();
    },
  };
}

export function eventText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

export type EventStream = ReturnType<typeof createEventStream>;

/**
 * Makes the body of a `text/event-stream` response.
 * @param maxBehind max unread bytes; beyond it, the stream ends
 * @param onEnd called after the stream has ended or its reader has left
 */
export function createEventStream(maxBehind = Number.POSITIVE_INFINITY, onEnd = () => {}) {
  const encoder = new TextEncoder();
  let open: ReadableStreamDefaultController<Uint8Array> | undefined;
  function leave(): void {
    open = undefined;
    onEnd();
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        open = controller;
      },
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBehind }),
  );
  /** Number of bytes that may still be sent before the stream has too many unread bytes. */
  const room = () => open?.desiredSize ?? 0;
  function end(): void {
    open?.close();
    if (open) leave();
  }
  return {
    body,
    room,
    end,
    /** Does nothing after the stream has ended. */
    send(text: string): void {
      open?.enqueue(encoder.encode(text));
      if (room() < 0) end();
    },
  };
}

/** Limits progress to one call of `tell` in `everyMs` milliseconds. Progress with `done` equal to `total` is always passed on. */
export function throttle<Progress extends Pick<OperationProgress, 'done' | 'total'>>(
  everyMs: number,
  tell: (progress: Progress) => void,
): (progress: Progress) => void {
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (now < next && progress.done < progress.total) return;
    next = now + everyMs;
    tell(progress);
  };
}
