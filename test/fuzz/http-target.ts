/** Fuzz target: bytes sent to a real server. */
import { connect } from 'node:net';
import fc from 'fast-check';
import { createServed } from '../surfaces/http/served.ts';
import { MARKS } from './arbitrary-text.ts';
import { type FuzzTarget, fuzzTarget } from './fuzz-target.ts';

const PATHS = [
  ...[
    '/api/search',
    '/api/documents',
    '/api/documents/notes/backup.md',
    '/api/related/',
    '/api/related/notes%2Fbackup.md',
  ],
  ...[
    '/api/graph',
    '/api/map',
    '/api/status',
    '/openapi.json',
    '/healthz',
    '/mcp',
    '/',
    '/api',
    '/api/documents/',
    '/api/hypothesis',
  ],
];
const PIECES = [
  ...[
    '..',
    '/',
    '//',
    '%2e',
    '%2f',
    '%5c',
    '%00',
    '%',
    '%zz',
    '%c0%ae',
    '?',
    '&',
    '=',
    '#',
    ';',
    '*',
    ':',
    '@',
    '\\',
  ],
  ...[
    'query=token',
    'sync=false',
    'top_n=3',
    'top_n=-1',
    'filters.tag=auth',
    'filters.where.x=1',
    '__proto__.x=1',
    'mode=keyword',
  ],
  ...[
    'document=notes/backup.md',
    'cursor=x',
    'filters.after=7d',
    'explain=true',
    'etc/passwd',
    'http://evil.example/',
  ],
];
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PIECES) },
  fc.constantFrom(...MARKS),
  fc.string({ unit: 'binary-ascii', maxLength: 8 }),
);
const target = fc
  .tuple(
    fc.constantFrom(...PATHS),
    fc.constantFrom('', '?', '/'),
    fc.array(piece, { maxLength: 6 }),
    fc.constantFrom('', '&'),
  )
  .map(([path, mark, pieces, joint]) => path + mark + pieces.join(joint));
const header = fc
  .tuple(
    fc.constantFrom(
      'Accept',
      'Origin',
      'Authorization',
      'Content-Type',
      'Last-Event-ID',
      'X-Forwarded-Host',
      'Transfer-Encoding',
      'Expect',
      'Range',
      'X',
    ),
    fc.constantFrom(': ', ':', ' : '),
    fc.oneof(
      fc.constantFrom(
        '*/*',
        'null',
        'http://evil.example',
        'Bearer x',
        'application/json',
        'chunked',
        'bytes=0-1',
        '',
      ),
      piece,
    ),
  )
  .map((parts) => parts.join(''));
const request = fc.record({
  method: fc.constantFrom(
    'GET',
    'GET',
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'DELETE',
    'OPTIONS',
    'get',
    'TRACE',
    'QUERY',
  ),
  target,
  headers: fc.array(header, { maxLength: 3 }),
  body: fc.option(
    fc.oneof(fc.json({ maxDepth: 2 }), fc.constantFrom('{"query":"token","sync":false}', '{}', '[', '\0')),
  ),
});

/** Statuses that say whose fault it is; 500 would be ours. */
const ANSWERS = new Set([
  200, 202, 204, 400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 417, 431, 501, 503,
]);

/** Whatever comes, the answer is no failure of the server, and holds nothing from outside. */
export const httpTarget: FuzzTarget = {
  name: 'http',
  async run(options) {
    await using served = await createServed();
    const { port } = served;
    await fuzzTarget('http', request, async ({ method, target: path, headers, body }) => {
      const content = body ?? '';
      const head = [
        `${method} ${path.replaceAll(/[\r\n]/g, ' ')} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Connection: close',
        ...(body === null
          ? []
          : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
        ...headers.map((line) => line.replaceAll(/[\r\n]/g, ' ')),
      ];
      const received = await exchange(port, `${head.join('\r\n')}\r\n\r\n${content}`);
      const wrong: string[] = [];
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1]);
      if (!ANSWERS.has(status)) wrong.push(`it answers ${received.slice(0, 300)}`);
      if (/root:|\bat [^\n]*\(?(?:file|node):/.test(received)) wrong.push('it tells what is not its to tell');
      return wrong;
    }).run(options);
  },
};

/** Sends everything and gathers the answer until the server closes or, for a stream that does not end, is silent for a second. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    // The first byte may be late: the server waits for files being read, and machines are busy.
    socket.setEncoding('latin1').setTimeout(20_000, () => socket.destroy());
    socket.on('data', (text) => {
      received += text;
      socket.setTimeout(1_000);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that has refused may close before all is sent.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(received));
    socket.write(bytes);
  });
}
