/** Ends connections that were refused, whether or not their clients agree. */
import type { Socket } from 'node:net';

export interface Dismissal {
  /** Sends a last answer, and destroys the socket soon after. */
  dismiss(socket: Socket, answer: string): void;
  isDismissed(socket: Socket): boolean;
}

/** Time for the answer to arrive: to destroy a socket at once may take back what was sent on it. */
const LINGER_MS = 500;
/** Sockets that linger at once; the oldest goes first. */
const MAX_LINGERING = 64;

export function createDismissal(): Dismissal {
  const lingering = new Set<Socket>();

  function dismiss(socket: Socket, answer: string): void {
    if (lingering.has(socket)) return;
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    // The parser lets go of a socket that asked for a tunnel, and nothing else listens to its errors.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(timer);
      lingering.delete(socket);
    });
    lingering.add(socket);
    socket.end(answer);
    socket.resume();
    const [oldest] = lingering;
    if (oldest === undefined || lingering.size <= MAX_LINGERING) return;
    lingering.delete(oldest);
    oldest.destroy();
  }

  return { dismiss, isDismissed: (socket) => lingering.has(socket) };
}
