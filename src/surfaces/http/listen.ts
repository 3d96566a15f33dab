/** Serves a fetch function on a TCP port with Node's HTTP server. Limits the time, size and number of requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { DocfuseError } from '../../core/errors.ts';
import { checkOptions } from '../../engine/check-options.ts';
import { clientNetwork, createPlaces } from './places.ts';
import { describeRefusal, problemHeaders, rawRefusal, refuse } from './refusal.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Milliseconds for all headers to arrive. @default 10000 */
  readonly headersMs?: number;
  /** Milliseconds for the whole request to arrive. @default 30000 */
  readonly requestMs?: number;
  /** Milliseconds for a client to read an answer that is ready. @default 60000 */
  readonly readMs?: number;
  /** Called for each connection or request that is refused before `fetch`. */
  readonly onRefused?: (() => void) | undefined;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Stops accepting connections. After `graceMs` milliseconds, ends the connections that are still busy. */
  close(graceMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 16 * 1024;
const KEEP_ALIVE_MS = 5_000;
/** Max connections that wait to be accepted. Beyond it, the system makes a client try again after a second. */
const MAX_ARRIVING = 4_096;
/** Milliseconds for a last answer to arrive: destroying a socket at once may discard bytes that were sent. */
const LINGER_MS = 500;
/** Max sockets that wait for `LINGER_MS`; beyond it, the oldest is destroyed. */
const MAX_LINGERING = 64;
const TOO_MANY = ['Too many requests at once.', 'Try again in a moment.'] as const;
const NO_TUNNEL = [
  'CONNECT is not offered here.',
  'Send requests to this server directly.',
  { Allow: 'GET, HEAD, POST, OPTIONS' },
] as const;

/**
 * @param fetch called with the network of the client; undefined for a client on this machine
 * @throws DocfuseError `usage` if an option is wrong, or the address is in use, not allowed, or not an address of this machine
 */
export async function listen(
  fetch: (request: Request, network?: string) => Promise<Response>,
  options: ListenOptions,
): Promise<Listener> {
  checkOptions('listen', options);
  const { host, port, headersMs = 10_000, requestMs = 30_000, readMs = 60_000, onRefused } = options;
  const respond = getRequestListener(
    (request, { incoming }) => fetch(request, clientNetwork(incoming.socket.remoteAddress ?? '')),
    {
      // If true, the library replaces Request and Response in the whole process.
      overrideGlobalObjects: false,
      errorHandler: () =>
        refuse('malformed', 'The request has no valid target or host.', 'Send a path and one Host header.'),
    },
  );
  const checkMs = Math.min(1_000, headersMs);
  const server = createServer({
    headersTimeout: Math.min(headersMs, requestMs), // Node refuses a larger value
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // `errorHandler` answers a request without a host with a problem document, so Node must not refuse the request first.
    requireHostHeader: false,
  });
  const lingering = new Set<Socket>();
  const places = createPlaces({ displace: end, silenceMs: headersMs + KEEP_ALIVE_MS, readMs });

  /** Ends a connection. Sends the reason only if the client cannot mistake it for the answer to another request. */
  function end(socket: Socket, answer = rawRefusal('overloaded', ...TOO_MANY)): void {
    onRefused?.();
    if (socket.writable && places.isNextInLine(socket)) dismiss(socket, lingering, answer);
    else socket.destroy();
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (lingering.has(request.socket)) return;
    if (places.begin(request, response)) void respond(request, response);
    else {
      onRefused?.();
      turnAway(response);
    }
  };
  server.on('connection', (socket) => {
    if (places.enter(socket)) return;
    onRefused?.();
    dismiss(socket, lingering, rawRefusal('overloaded', ...TOO_MANY));
  });
  server.on('request', answer);
  // Unknown values of the header Expect may be ignored (RFC 9110, 10.1.1); Node would refuse them without a reason.
  server.on('checkExpectation', answer);
  server.on('connect', (_, socket: Socket) =>
    dismiss(socket, lingering, rawRefusal('method_not_allowed', ...NO_TUNNEL)),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (!lingering.has(socket)) end(socket, parserRefusal(error.code));
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
      // Close each connection when it becomes idle: otherwise, Node would keep it open for further requests.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
      clearInterval(sweeping);
    },
  };
}

/** Sends a last answer and destroys the socket soon after, even if the client keeps it open. */
function dismiss(socket: Socket, lingering: Set<Socket>, answer: string): void {
  if (lingering.has(socket)) return;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  // After CONNECT, Node's parser no longer handles errors of the socket, so handle them here.
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(timer);
    lingering.delete(socket);
  });
  lingering.add(socket);
  socket.end(answer);
  socket.resume();
  const [oldest] = lingering;
  if (lingering.size <= MAX_LINGERING) return;
  lingering.delete(oldest!);
  oldest!.destroy();
}

/** The answer to a request that Node's parser could not read. @param code error code of the parser */
function parserRefusal(code = ''): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return rawRefusal('request_timeout', 'The request took too long to arrive.', 'Send it without pauses.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return rawRefusal(
      'headers_too_large',
      'The headers are larger than 16 KiB.',
      'Send fewer or shorter headers.',
    );
  return rawRefusal('malformed', 'The request is not valid HTTP.', 'Send one well-formed request at a time.');
}

/** Refuses with an ordinary response, which is sent after the answers to earlier requests. */
function turnAway(response: ServerResponse): void {
  const problem = describeRefusal('overloaded', ...TOO_MANY);
  response.shouldKeepAlive = false;
  response.writeHead(problem.status, problemHeaders(problem)).end(JSON.stringify(problem));
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  const remedies: Readonly<Record<string, string>> = {
    EADDRINUSE: 'Choose another port with --port, or stop that program.',
    EACCES: 'Choose a port above 1023 with --port.',
    EADDRNOTAVAIL: 'Choose an address of this machine with --host.',
    ENOTFOUND: 'Choose an address of this machine with --host.',
  };
  const remedy = remedies[error.code ?? ''];
  if (remedy === undefined) return error;
  const reason = error.code === 'EADDRINUSE' ? 'another program uses this port' : error.message;
  return new DocfuseError('usage', `Cannot listen on ${host} port ${port}: ${reason}.`, remedy, {
    cause: error,
  });
}
