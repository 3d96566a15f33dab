/** Server-sent events: what happened of late, told to all who listen and again to those who come back. */

export interface ServerEvent {
  readonly event: string;
  readonly data: object;
}

export interface EventLog {
  publish(event: ServerEvent): void;
  /**
   * A stream of `text/event-stream`, from now on or from after `lastEventId`. Where what came after that one is no longer
   * known, the first event is `reset`: the client should look at everything anew. Undefined when too many listen.
   */
  listen(lastEventId: string | undefined): ReadableStream<Uint8Array> | undefined;
  /** Ends all streams. */
  close(): void;
}

export interface EventLogOptions {
  /** Tells this run of the server from another in the ids of events. */
  readonly run: string;
  /** Milliseconds between signs of life. @default 15000 */
  readonly heartbeatMs?: number;
  /** @default 100 */
  readonly maxListeners?: number;
}

/** Events kept for those who come back. */
const KEPT = 256;
/** Bytes a listener may be behind before it is cut off; it comes back with the id of what it has seen. */
const MAX_BEHIND = 256 * 1024;
const RETRY_MS = 2_000;
const RESET = 'event: reset\ndata: {}\n\n';

export function createEventLog({ run, heartbeatMs = 15_000, maxListeners = 100 }: EventLogOptions): EventLog {
  const kept: { readonly number: number; readonly text: string }[] = [];
  const listeners = new Set<(text: string) => void>();
  const enders = new Set<() => void>();
  let last = 0;

  /** Undefined when some of what came after it is forgotten. */
  function missed(lastEventId: string): readonly string[] | undefined {
    const [seenRun, seen] = lastEventId.split(':');
    const number = Number(seen);
    if (seenRun !== run || !Number.isSafeInteger(number) || number > last) return undefined;
    if (number < last - kept.length) return undefined;
    return kept.filter((each) => each.number > number).map(({ text }) => text);
  }

  return {
    publish({ event, data }) {
      const number = ++last;
      const text = `id: ${run}:${number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
      kept.push({ number, text });
      if (kept.length > KEPT) kept.shift();
      for (const listener of listeners) listener(text);
    },
    listen(lastEventId) {
      if (listeners.size >= maxListeners) return undefined;
      const encoder = new TextEncoder();
      let end = () => {};
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const send = (text: string) => {
              controller.enqueue(encoder.encode(text));
              if ((controller.desiredSize ?? 0) < 0) end();
            };
            const heartbeat = setInterval(() => send(': heartbeat\n\n'), heartbeatMs);
            end = () => {
              if (!listeners.delete(send)) return;
              enders.delete(end);
              clearInterval(heartbeat);
              controller.close();
            };
            listeners.add(send);
            enders.add(end);
            const past = lastEventId === undefined ? [] : (missed(lastEventId) ?? [RESET]);
            // The last line tells where the stream stands, also to a listener that is cut off before anything happens.
            send(`retry: ${RETRY_MS}\n\n${past.join('')}id: ${run}:${last}\n\n`);
          },
          cancel: () => end(),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: MAX_BEHIND }),
      );
    },
    close() {
      for (const end of [...enders]) end();
    },
  };
}
