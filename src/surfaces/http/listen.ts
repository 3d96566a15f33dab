/** Serves a fetch function on a TCP port with Node's own HTTP server, bounded in time, size and number. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { DocfuseError } from '../../core/errors.ts';
import { clientNetwork } from './client-network.ts';
import { createDismissal } from './dismissal.ts';
import { createPlaces } from './places.ts';
import { parserRefusal, rawRefusal } from './raw-refusal.ts';
import { describeRefusal, RETRY_AFTER, refuse } from './refusal.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Milliseconds for all headers to arrive. @default 10000 */
  readonly headersMs?: number;
  /** Milliseconds for the whole request to arrive. @default 30000 */
  readonly requestMs?: number;
  /** Milliseconds for a client to read an answer that is ready. @default 60000 */
  readonly readMs?: number;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Takes no more connections; after `graceMs` it ends those that are still busy. */
  close(graceMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 16 * 1024;
const KEEP_ALIVE_MS = 5_000;
/** A connection on which nothing moves is closed; streams of events show signs of life more often. */
const IDLE_MS = 120_000;
/** Connections that wait to be accepted. When there are more, the system lets a client try again after a second. */
const MAX_ARRIVING = 4_096;
const TOO_MANY = ['Too many requests at once.', 'Try again in a moment.'] as const;
const NO_TUNNEL = [
  'CONNECT is not offered here.',
  'Ask this server itself.',
  { Allow: 'GET, HEAD, POST, OPTIONS' },
] as const;

/**
 * @param fetch is told the network of a client on another machine
 * @throws DocfuseError `usage` where the address is taken or not this machine's
 */
export async function listen(
  fetch: (request: Request, network?: string) => Promise<Response>,
  { host, port, headersMs = 10_000, requestMs = 30_000, readMs = 60_000 }: ListenOptions,
): Promise<Listener> {
  const respond = getRequestListener(
    (request, { incoming }) => fetch(request, clientNetwork(incoming.socket.remoteAddress ?? '')),
    {
      // Requests and responses of the whole process stay Node's own.
      overrideGlobalObjects: false,
      errorHandler: () =>
        refuse(
          'malformed',
          'The request has no valid target or host.',
          'Send a path and one Host.',
          SECURITY_HEADERS,
        ),
    },
  );
  const checkMs = Math.min(1_000, headersMs);
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // One without a host is refused below, with a problem document.
    requireHostHeader: false,
  });
  server.setTimeout(IDLE_MS);
  const { dismiss, isDismissed } = createDismissal();
  const places = createPlaces({ displace: end, silenceMs: headersMs + KEEP_ALIVE_MS, readMs });

  /** Sends the reason only where it cannot be taken for the answer to another request. */
  function end(socket: Socket, answer = rawRefusal('overloaded', ...TOO_MANY)): void {
    if (socket.writable && places.isNextInLine(socket)) dismiss(socket, answer);
    else socket.destroy();
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (isDismissed(request.socket)) return;
    if (places.begin(request, response)) void respond(request, response);
    else turnAway(response);
  };
  server.on('connection', (socket) => {
    if (!places.enter(socket)) dismiss(socket, rawRefusal('overloaded', ...TOO_MANY));
  });
  server.on('request', answer);
  // An expectation that is not known may be passed over (RFC 9110, 10.1.1); Node's own refusal says nothing.
  server.on('checkExpectation', answer);
  server.on('connect', (_, socket: Socket) =>
    dismiss(socket, rawRefusal('method_not_allowed', ...NO_TUNNEL)),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (!isDismissed(socket)) end(socket, parserRefusal(error.code));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen({ host, port, backlog: MAX_ARRIVING }, resolve);
  });
  const sweeping = setInterval(places.sweep, checkMs);
  const address = server.address() as AddressInfo;
  return {
    host: address.address,
    port: address.port,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Connections fall idle one by one, and would stay for the next request.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
      clearInterval(sweeping);
    },
  };
}

/** An ordinary response, so that it stands in line behind the answers to earlier requests. */
function turnAway(response: ServerResponse): void {
  const problem = describeRefusal('overloaded', ...TOO_MANY);
  response.shouldKeepAlive = false;
  response.writeHead(problem.status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/problem+json',
    'retry-after': RETRY_AFTER,
  });
  response.end(JSON.stringify(problem));
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  const remedies: Readonly<Record<string, string>> = {
    EADDRINUSE: 'Choose another port with --port, or stop the program that has it.',
    EACCES: 'Choose a port above 1023 with --port.',
    EADDRNOTAVAIL: 'Choose an address of this machine with --host.',
    ENOTFOUND: 'Choose an address of this machine with --host.',
  };
  const remedy = remedies[error.code ?? ''];
  if (remedy === undefined) return error;
  const reason = error.code === 'EADDRINUSE' ? 'it is taken' : error.message;
  return new DocfuseError('usage', `Cannot listen on ${host} port ${port}: ${reason}.`, remedy, {
    cause: error,
  });
}
