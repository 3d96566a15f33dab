/** Clients that hold as many connections of a server as they can, and take each one back that they lose. */
import { connect, type Socket } from 'node:net';

/** What one connection sends: at once, and then again and again. */
export interface Hold {
  readonly first?: string;
  readonly drip?: string;
  /** Leaves what the server sends in the buffers. */
  readonly unread?: boolean;
}

const HOST = 'Host: localhost';

export const HOLDS = {
  'that send nothing': {},
  'that drip headers': { first: `GET /api/status HTTP/1.1\r\n${HOST}\r\n`, drip: 'X-Drip: a\r\n' },
  'that drip a body': { first: post('/api/search'), drip: ' ' },
  'that drip a body at /mcp': { first: post('/mcp'), drip: ' ' },
  'that drip blank lines after an answer': {
    first: `GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`,
    drip: '\r\n',
  },
  'that never read events': { first: `GET /api/events HTTP/1.1\r\n${HOST}\r\n\r\n`, unread: true },
} as const satisfies Readonly<Record<string, Hold>>;

export interface Flood extends Disposable {
  /** Connections that were lost and taken again. */
  readonly retaken: number;
}

const BATCH = 50;
const DRIP_EVERY_MS = 500;
const RETAKE_AFTER_MS = 250;

/** Resolves when each of `count` clients has been connected once. @param holds given to the clients in turn */
export async function flood(port: number, holds: readonly Hold[], count: number): Promise<Flood> {
  const sockets = new Set<Socket>();
  const state = { ended: false, retaken: 0 };
  const drips = setInterval(() => {
    for (const socket of sockets) socket.emit('drip');
  }, DRIP_EVERY_MS);

  function hold(each: Hold): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      sockets.add(socket);
      socket.on('connect', () => {
        if (each.first) socket.write(each.first);
        if (!each.unread) socket.resume();
        resolve();
      });
      socket.on('drip', () => {
        if (each.drip && socket.writable) socket.write(each.drip);
      });
      socket.on('end', () => socket.destroy());
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        resolve();
        setTimeout(() => {
          if (state.ended) return;
          state.retaken++;
          void hold(each);
        }, RETAKE_AFTER_MS);
      });
    });
  }

  for (let begun = 0; begun < count; begun += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - begun) }, (_, number) => begun + number);
    await Promise.all(batch.map((number) => hold(holds[number % holds.length]!)));
  }
  return {
    get retaken() {
      return state.retaken;
    },
    [Symbol.dispose]() {
      state.ended = true;
      clearInterval(drips);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function post(path: string): string {
  return `POST ${path} HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
}
