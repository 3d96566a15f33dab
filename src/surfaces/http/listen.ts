/** Serves a fetch function on a TCP port with Node's own HTTP server, bounded in time, size and number. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { DocfuseError } from '../../core/errors.ts';
import { describeRefusal, type RefusalCode, refuse } from './refusal.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Milliseconds for all headers to arrive. @default 10000 */
  readonly headersMs?: number;
  /** Milliseconds for the whole request to arrive. @default 30000 */
  readonly requestMs?: number;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Takes no more connections; after `graceMs` it ends those that are still busy. */
  close(graceMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 512;
const KEEP_ALIVE_MS = 5_000;
/** A connection on which nothing moves is closed; streams of events show signs of life more often. */
const IDLE_MS = 120_000;

/** @throws DocfuseError `usage` where the address is taken or not this machine's */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  { host, port, headersMs = 10_000, requestMs = 30_000 }: ListenOptions,
): Promise<Listener> {
  const answering = new WeakMap<Socket, ServerResponse>();
  const respond = getRequestListener(fetch, {
    // Requests and responses of the whole process stay Node's own.
    overrideGlobalObjects: false,
    errorHandler: () =>
      refuse(
        'malformed',
        'The request has no valid target or host.',
        'Send a path and one Host.',
        SECURITY_HEADERS,
      ),
  });
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // One without a host is refused below, with a problem document.
    requireHostHeader: false,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response);
    void respond(request, response);
  };
  server.on('request', answer);
  // An expectation that is not known may be passed over (RFC 9110, 10.1.1); Node's own refusal says nothing.
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = answering.get(socket);
    const halfSent = response?.headersSent === true && !response.writableEnded;
    if (!socket.writable || halfSent || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(rawRefusal(error.code ?? ''));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen({ host, port }, resolve);
  });
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
    },
  };
}

/** Bytes that Node's parser refuses never become a request, so their answer is written by hand. */
function rawRefusal(code: string): string {
  const [refusal, detail, remedy] = PARSER_ERRORS[code] ?? [
    'malformed',
    'The request is not valid HTTP.',
    'Send one well-formed request at a time.',
  ];
  const problem = describeRefusal(refusal, detail, remedy);
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

const PARSER_ERRORS: Readonly<Record<string, readonly [RefusalCode, string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request took too long to arrive.', 'Send it in one go.'],
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The headers are larger than 16 KiB.',
    'Send fewer or shorter ones.',
  ],
};

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
