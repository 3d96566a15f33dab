/** Server-sent events: sends what happens to all listeners, and what they missed to those that come back. */

export interface ServerEvent {
  readonly event: string;
  readonly data: object;
}

export interface EventLog {
  publish(event: ServerEvent): void;
  /**
   * A stream of `text/event-stream`, from now on or from after `lastEventId`. Where what came after that one is no longer
   * known, the first event is `reset`: the client should look at everything again. When too many listen, the stream that is
   * furthest behind ends, the oldest among equals; its reader comes back with the id of what it has seen.
   * @param network of a client on another machine
   */
  listen(lastEventId: string | undefined, network?: string): ReadableStream<Uint8Array>;
  /** Ends all streams. */
  close(): void;
}

export interface EventLogOptions {
  /** Marks the ids of events with this run of the server. */
  readonly run: string;
  /** Milliseconds between signs of life. @default 15000 */
  readonly heartbeatMs?: number;
  /** @default 100 */
  readonly maxListeners?: number;
  /** Listeners of one network; clients of this machine have no such limit. @default 16 */
  readonly maxPerNetwork?: number;
}

interface Listener extends EventStream {
  readonly network: string | undefined;
}

/** Events kept for those who come back. */
const KEPT = 256;
/** Bytes a listener may be behind before its stream ends. It comes back with the id of what it has seen. */
const MAX_BEHIND = 256 * 1024;
const RETRY_MS = 2_000;

export function createEventLog({
  run,
  heartbeatMs = 15_000,
  maxListeners = 100,
  maxPerNetwork = 16,
}: EventLogOptions): EventLog {
  const kept: { readonly number: number; readonly text: string }[] = [];
  const listeners = new Set<Listener>();
  let last = 0;

  /** The events after an id; undefined if some of them are forgotten. */
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
      const heartbeat = setInterval(() => stream.send(': heartbeat\n\n'), heartbeatMs);
      listeners.add(listener);
      const past = lastEventId === undefined ? [] : (missed(lastEventId) ?? [eventText('reset', {})]);
      // The last line tells the position of the stream, even if it ends before an event comes.
      stream.send(`retry: ${RETRY_MS}\n\n${past.join('')}id: ${run}:${last}\n\n`);
      return stream.body;
    },
    close() {
      for (const { end } of [...listeners]) end();
    },
  };
}

/** One event as a stream holds it. */
export function eventText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Does nothing after the end. */
  send(text: string): void;
  end(): void;
  /** Bytes that it has room for. */
  room(): number;
}

/**
 * The body of a response of `text/event-stream`.
 * @param maxBehind bytes that its reader may be behind before it ends
 * @param onEnd called once it has ended or its reader has left
 */
export function createEventStream(maxBehind = Number.POSITIVE_INFINITY, onEnd = () => {}): EventStream {
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
  const room = () => open?.desiredSize ?? 0;
  function end(): void {
    open?.close();
    if (open) leave();
  }
  return {
    ...{ body, room, end },
    send(text) {
      open?.enqueue(encoder.encode(text));
      if (room() < 0) end();
    },
  };
}
