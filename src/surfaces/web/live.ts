/** Follows what happens to the index, over one connection for the whole page. */
import { type ReceivedEvent, readEvents } from '../attach/read-events.ts';
import type { Session } from './session.ts';

export type Live = ReturnType<typeof createLive>;
type Listener = (event: ReceivedEvent) => void;

/** Whether an event may change an answer. @param document ignore changes of other documents @default any document */
export function isChange({ event, data }: ReceivedEvent, document?: string): boolean {
  const { documents = [] } = data as { readonly documents?: readonly { readonly document: string }[] };
  return event === 'reset' || documents.some((each) => !document || each.document === document);
}

/** Milliseconds after the last change before an answer is read again, because changes often come in groups. */
const PAUSE_MS = 2_000;

/**
 * Reads an answer, and reads it again when documents change.
 * @param read gets a signal that is aborted before the next call and at the end
 * @returns a function that stops the reading
 */
export function readAgain(live: Live, read: (stop: AbortSignal) => void): () => void {
  let stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function start(): void {
    stop.abort();
    stop = new AbortController();
    read(stop.signal);
  }
  const unfollow = live.follow((event) => {
    if (!isChange(event)) return;
    clearTimeout(timer);
    timer = setTimeout(start, event.event === 'reset' ? 0 : PAUSE_MS);
  });
  return () => {
    unfollow();
    clearTimeout(timer);
    stop.abort();
  };
}

const RESET: ReceivedEvent = { event: 'reset', data: {} };
const LISTEN_AGAIN_MS = 2_000;

/** Connects only while somebody listens and the page is visible: all tabs share six connections to a server. */
export function createLive({ connection: server }: Session) {
  const listeners = new Set<Listener>();
  let connection: AbortController | undefined;

  function tell(event: ReceivedEvent): void {
    for (const listener of [...listeners]) listener(event);
  }

  async function connect({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      tell(RESET);
      if (!server) return;
      const stream = await server.listen('/api/events', signal);
      try {
        for await (const event of stream ? readEvents(stream) : []) tell(event);
      } catch {
        // The server went away, or there are no listeners any more.
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, LISTEN_AGAIN_MS));
    }
  }

  function look(): void {
    const isWanted = listeners.size > 0 && document.visibilityState === 'visible';
    if (isWanted === (connection !== undefined)) return;
    connection?.abort();
    connection = isWanted ? new AbortController() : undefined;
    if (connection) void connect(connection);
  }
  document.addEventListener('visibilitychange', look);

  return {
    /**
     * Calls the listener with each event. `reset` comes first, and again whenever events may be missing. The listener then reads
     * again what it shows.
     * @returns a function that stops the calls
     */
    follow(listener: Listener): () => void {
      listeners.add(listener);
      if (connection) listener(RESET);
      else look();
      return () => {
        listeners.delete(listener);
        look();
      };
    },
  };
}
