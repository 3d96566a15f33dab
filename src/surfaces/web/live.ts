/** Follows what happens to the index, over one connection for the whole page. */
import { type ReceivedEvent, readEvents } from '../attach/read-events.ts';
import type { Session } from './session.ts';

export interface Live {
  /**
   * Calls the listener with each event. `reset` comes first, and again whenever events may be missing: the listener then reads
   * again what it shows.
   * @returns a function that ends it
   */
  follow(listener: (event: ReceivedEvent) => void): () => void;
}

const RESET: ReceivedEvent = { event: 'reset', data: {} };
const LISTEN_AGAIN_MS = 2_000;

/** Connects only while somebody follows and the page can be seen: a browser opens six connections to a server, for all its tabs. */
export function createLive(session: Session): Live {
  const listeners = new Set<(event: ReceivedEvent) => void>();
  let connection: AbortController | undefined;

  function tell(event: ReceivedEvent): void {
    for (const listener of [...listeners]) listener(event);
  }

  async function connect({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      tell(RESET);
      // An export does not change while it is read.
      if (session.kind === 'export') return;
      const stream = await session.listen('/api/events', signal);
      try {
        for await (const event of stream ? readEvents(stream) : []) tell(event);
      } catch {
        // The server went away, or nobody follows any more.
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
    follow(listener) {
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
