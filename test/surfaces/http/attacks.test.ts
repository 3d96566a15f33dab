/** Attacks by what is sent: bodies, smuggled requests, ways out of the index, and taking all there is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Limits } from '../../../src/surfaces/http/bounded-run.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { expectRefused, GET, hostLine, SECRET, sendRequest } from './attack.ts';
import { createServed, type Served, sendBytes, statusesOf } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await createServed();
});
afterAll(() => served?.[Symbol.asyncDispose]());

const host = () => hostLine(served);
const ask = (lines: readonly string[], body = '') => sendRequest(served, lines, body);

describe('the body', () => {
  const POST = ['POST /api/search HTTP/1.1', 'Content-Type: application/json'];
  const MIB = 1024 * 1024;

  test('that announces more than 1 MiB is refused unread', async () => {
    expectRefused(await ask([...POST, host(), `Content-Length: ${MIB + 1}`], '{'), 413);
    // MCP reads its bodies itself, and answers in JSON-RPC.
    const mcp = [
      'POST /mcp HTTP/1.1',
      ...POST.slice(1),
      'Accept: application/json, text/event-stream',
      host(),
    ];
    expect(statusesOf(await ask([...mcp, `Content-Length: ${MIB + 1}`], '{'))).toEqual([413]);
    const chunk = `${(MIB + 1).toString(16)}\r\n${' '.repeat(MIB + 1)}\r\n`;
    expect(statusesOf(await ask([...mcp, 'Transfer-Encoding: chunked'], `${chunk}0\r\n\r\n`))).toEqual([413]);
  });

  test('in chunks is refused at the limit', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const head = `${[...POST, host(), 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`;
    const received = await sendBytes(served.port, [head, ...Array.from({ length: 17 }, () => chunk)], {
      pauseMs: 1,
    });
    expectRefused(received, 413);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])(
    'of type %s is refused: a form of another site could send it',
    async (type) => {
      const lines = ['POST /api/search HTTP/1.1', host(), `Content-Type: ${type}`, 'Content-Length: 2'];
      expectRefused(await ask(lines, '{}'), 415);
    },
  );

  test.each(['', '{', 'null', '[]', '"query"', '{"query":"a"}x', '\u00ff\u00fe'])(
    '%j is no request',
    async (body) => {
      expectRefused(await ask([...POST, host(), `Content-Length: ${body.length}`], body), 400);
    },
  );

  test('cannot reach the prototype of objects', async () => {
    const body = '{"query":"token","__proto__":{"top_n":1},"constructor":{"prototype":{"x":1}}}';
    expectRefused(await ask([...POST, host(), `Content-Length: ${body.length}`], body), 400);
    const get =
      'GET /api/search?query=a&__proto__.x=1&filters.__proto__.x=1&constructor.prototype.x=1 HTTP/1.1';
    expectRefused(await ask([get, host()]), 400);
    expect(({} as { readonly x?: number }).x).toBeUndefined();
  });
});

test('a request without a host is refused with a problem document, and an unknown expectation is passed over', async () => {
  expectRefused(await sendBytes(served.port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'), 400);
  const expecting = await ask([GET, host(), 'Expect: the-unexpected', 'Connection: close']);
  expect(statusesOf(expecting)).toEqual([200]);
  expect(expecting).toMatch(/x-content-type-options: nosniff/i);
});

describe('requests that two servers could read in two ways', () => {
  const smuggled = `GET /api/status HTTP/1.1\r\n${'Host: localhost'}\r\n\r\n`;
  const json = 'Content-Type: application/json';
  const POST = 'POST /api/search HTTP/1.1';

  test.each([
    [
      'a length and chunks',
      [POST, json, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${smuggled}`,
    ],
    [
      'chunks and a length',
      [POST, json, 'Transfer-Encoding: chunked', 'Content-Length: 5'],
      `0\r\n\r\n${smuggled}`,
    ],
    ['two lengths', [POST, json, 'Content-Length: 2', 'Content-Length: 40'], `{}${smuggled}`],
    ['a length with a sign', [POST, json, 'Content-Length: +2'], `{}${smuggled}`],
    ['a length in hexadecimal', [POST, json, 'Content-Length: 0x2'], `{}${smuggled}`],
    ['a disguised encoding', [POST, json, 'Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`],
    ['a doubled encoding', [POST, json, 'Transfer-Encoding: chunked, identity'], `0\r\n\r\n${smuggled}`],
    ['a space before the colon', [POST, json, 'Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
    ['a folded header', [GET, 'X-Folded: a\r\n Host: evil.example'], ''],
    ['a header without a colon', [GET, 'X-Nothing'], ''],
    ['a bare carriage return', [GET, 'X-Return: a\rHost: evil.example'], ''],
    ['a zero byte', [GET, 'X-Zero: a\0b'], ''],
  ])('%s: one refusal, and the connection ends', async (_, lines, body) => {
    const received = await sendBytes(served.port, `${[...lines, host()].join('\r\n')}\r\n\r\n${body}`);
    expect(statusesOf(received)).toEqual([400]);
    expect(received).not.toContain(SECRET);
  });

  test('a chunk of an impossible size ends the connection', async () => {
    const head = [POST, json, host(), 'Transfer-Encoding: chunked'].join('\r\n');
    const received = await sendBytes(served.port, `${head}\r\n\r\nzz\r\n${smuggled}`);
    expect(received).not.toContain(SECRET);
    expect(statusesOf(received)).toEqual([400]);
  });

  test('several on one connection are each answered, in order, and each is checked', async () => {
    const one = (line: string, name: string) => `${line} HTTP/1.1\r\nHost: ${name}\r\n`;
    const received = await sendBytes(
      served.port,
      `${one('GET /healthz', 'localhost')}\r\n${one('GET /api/status', 'evil.example')}\r\n${one('GET /nowhere', 'localhost')}Connection: close\r\n\r\n`,
    );
    expect(statusesOf(received)).toEqual([200, 403, 404]);
    expect(received).not.toContain(SECRET);
  });
});

describe('ways out of the index', () => {
  test.each([
    '/api/documents/../../../../etc/passwd',
    '/api/documents/..%2f..%2f..%2fetc%2fpasswd',
    '/api/documents/%2e%2e/%2e%2e/etc/passwd',
    '/api/documents/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/api/documents/..%252f..%252fetc%252fpasswd',
    '/api/documents/..%5c..%5cetc%5cpasswd',
    '/api/documents/%2fetc%2fpasswd',
    '/api/documents//etc/passwd',
    '/api/documents/notes/../../../etc/passwd',
    '/api/documents/notes%00.md',
    '/api/documents/%c0%ae%c0%ae/etc/passwd',
    '/api/documents/file:%2f%2f%2fetc%2fpasswd',
    '/../../etc/passwd',
    '/%2e%2e/etc/passwd',
  ])('%s leads nowhere', async (path) => {
    const received = await ask([`GET ${path} HTTP/1.1`, host()]);
    expect(statusesOf(received)).toHaveLength(1);
    expect([400, 404]).toContain(statusesOf(received)[0]);
    expect(received).not.toContain('root:');
  });

  test('a document is found by its id, however its slash is written', async () => {
    for (const id of ['notes/backup.md', 'notes%2Fbackup.md']) {
      expect(statusesOf(await ask([`GET /api/documents/${id} HTTP/1.1`, host()]))).toEqual([200]);
    }
  });

  test.each([
    ['a target with a backslash', 'GET /\\evil.example HTTP/1.1'],
    ['no target', 'GET  HTTP/1.1'],
    ['a target without a slash', 'GET api/status HTTP/1.1'],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1'],
    ['another protocol', 'GET /api/status HTTP/3.7'],
    ['an unknown method', 'STEAL /api/status HTTP/1.1'],
  ])('%s opens nothing', async (_, line) => {
    const received = await ask([line, host()]);
    expect(received).not.toContain(SECRET);
    for (const status of statusesOf(received)) expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe('who takes all there is', () => {
  const quick = { host: '127.0.0.1', port: 0, headersMs: 300, requestMs: 900 };

  test('headers that trickle in are cut off', async () => {
    const listener = await listen(async () => new Response('ok'), quick);
    const drops = Array.from({ length: 100 }, (_, number) => `X-${number}: a\r\n`);
    const began = performance.now();
    const received = await sendBytes(listener.port, ['GET / HTTP/1.1\r\nHost: localhost\r\n', ...drops]);
    expect(statusesOf(received)).toEqual([408]);
    expect(performance.now() - began).toBeLessThan(4_000);
    await listener.close(0);
  });

  test('a body that trickles in is cut off', async () => {
    const listener = await listen(async (request) => new Response(await request.text()), quick);
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n';
    const began = performance.now();
    const received = await sendBytes(listener.port, [head, ...Array.from({ length: 100 }, () => 'a')]);
    expect(statusesOf(received)).toEqual([408]);
    expect(performance.now() - began).toBeLessThan(4_000);
    await listener.close(0);
  });

  test('headers of more than 16 KiB are refused', async () => {
    expectRefused(await ask([GET, host(), `X-Long: ${'a'.repeat(20_000)}`]), 431);
  });

  test('more requests than may wait are told when to try again', async () => {
    const limits: Limits = { running: 1, waiting: 1 };
    await using busy = await createServed({ limits });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => busy.post('/api/search', { query: 'token', sync: false })),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 503]));
    const refused = answers.find(({ status }) => status === 503)!;
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'overloaded', status: 503 });
    expect((await busy.post('/api/search', { query: 'token' })).status).toBe(200);
  });

  test('an operation that takes too long is given up', async () => {
    await using slow = await createServed({ limits: { timeMs: 1 } });
    const answer = await slow.post('/api/search', { query: 'token' });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'took_too_long' });
  });
});
