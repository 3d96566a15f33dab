/** Connections that their clients would keep for good: the server ends each of them. */
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listener, listen } from '../../../src/surfaces/http/listen.ts';
import { clientNetwork } from '../../../src/surfaces/http/places.ts';
import { expectRefused, GET, hostLine, SECRET, sendRequest } from './attack.ts';
import { createServed, type Served, sendBytes, statusesOf } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await createServed();
});
afterAll(() => served?.[Symbol.asyncDispose]());

const HOST = 'Host: localhost';
const ordinary = { host: '127.0.0.1', port: 0 };
const quick = { ...ordinary, headersMs: 600, requestMs: 1_200 };

interface Held {
  readonly received: string;
  /** Milliseconds until the client could send no more. */
  readonly milliseconds: number;
}

/** A client that goes on sending after the server has ended its side, as an attacker would, until it is cut off. */
function cling(port: number, first: string, drip: string, endMs = 15_000): Promise<Held> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.write(first);
    const drips = setInterval(() => socket.write(drip), 50);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`Still connected after ${endMs} ms, with ${JSON.stringify(received)}`));
    }, endMs);
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(drips);
      clearTimeout(timer);
      resolve({ received, milliseconds: performance.now() - began });
    });
  });
}

describe.concurrent('a client that never ends its side is cut off', () => {
  let listener: Listener;
  beforeAll(async () => {
    listener = await listen(async (request) => new Response(await request.text()), quick);
  });
  afterAll(() => listener?.close(0));

  const get = `GET / HTTP/1.1\r\n${HOST}\r\n`;
  const post = `POST / HTTP/1.1\r\n${HOST}\r\n`;
  test.concurrent.each([
    ['that drips blank lines', '', '\r\n', [408]],
    ['that drips headers', get, 'X: a\r\n', [408]],
    ['that drips the headers of a second request', `${get}\r\n${get}`, 'X: a\r\n', [200, 408]],
    ['that drips a body', `${post}Content-Length: 1000\r\n\r\n`, 'a', [408]],
    ['that drips a body in chunks', `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n', [408]],
    ['that drips a body after its answer', `${get}Content-Length: 1000\r\n\r\n`, 'a', [200]],
    ['that drips blank lines after an answer', `${get}\r\n`, '\r\n', [200]],
    ['that drips what is no request', 'nonsense\r\n\r\n', 'a', [400]],
    ['that asks for a tunnel', `CONNECT a.example:443 HTTP/1.1\r\n${HOST}\r\n\r\n`, 'a', [405]],
  ])('%s', async (_, first, drip, statuses) => {
    const { received } = await cling(listener.port, first, drip);
    expect(statusesOf(received)).toEqual(statuses);
  });
});

describe.concurrent('Connection: close is obeyed', () => {
  const mcp = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    },
  });
  const json = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];
  test.concurrent.each([
    ['an answer', [GET], '', 200],
    ['an answer of HTTP/1.0', ['GET /healthz HTTP/1.0'], '', 200],
    ['an answer without a body', ['HEAD /api/events HTTP/1.1'], '', 200],
    ['a preflight', ['OPTIONS /api/search HTTP/1.1'], '', 204],
    ['no such route', ['GET /nowhere HTTP/1.1'], '', 404],
    ['a refused method', ['DELETE /api/search HTTP/1.1'], '', 405],
    ['a refused type', ['POST /api/search HTTP/1.1', 'Content-Length: 2'], '{}', 415],
    ['a refused host', [GET, 'Host: evil.example'], '', 400],
    ['a stream of MCP', ['POST /mcp HTTP/1.1', ...json, `Content-Length: ${mcp.length}`], mcp, 200],
  ])('by %s', async (_, lines, body, status) => {
    const head = [lines[0], hostLine(served), ...lines.slice(1), 'Connection: close'].join('\r\n');
    const { received, milliseconds } = await cling(served.port, `${head}\r\n\r\n${body}`, '\r\n');
    expect(statusesOf(received)).toEqual([status]);
    expect(received).toMatch(/\r\nconnection: close\r\n/i);
    expect(received).not.toMatch(/keep-alive/i);
    expect(milliseconds).toBeLessThan(4_000);
  });
});

test('CONNECT is refused with a problem document, and an upgrade passed over', async () => {
  const received = await sendRequest(
    served,
    ['CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443'],
    '',
  );
  expectRefused(received, 405);
  expect(received).toMatch(/\r\nallow: GET, HEAD, POST, OPTIONS\r\n/i);
  for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
    const upgrade = `Connection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`;
    const asked = await sendBytes(served.port, `${GET}\r\n${hostLine(served)}\r\n${upgrade}`);
    expect(statusesOf(asked)).toEqual([200]);
    expectRefused(await sendBytes(served.port, `${GET}\r\nHost: evil.example\r\n${upgrade}`), 403);
  }
  expect(received).not.toContain(SECRET);
});

describe('answers that are not read', () => {
  const MIB = 2 ** 20;
  const large = (mib: number) => new Uint8Array(mib * MIB);

  /** Waits until so many of these clients, which read nothing, are cut off. */
  async function cutOff(clients: number, mib: number, readMs: number, least: number): Promise<void> {
    let gone = 0;
    const listener = await listen(
      async (request) => {
        if (request.url.endsWith('/healthz')) return new Response('ok');
        request.signal.addEventListener('abort', () => gone++);
        return new Response(large(mib));
      },
      { ...ordinary, readMs },
    );
    const sockets = Array.from({ length: clients }, () => {
      const socket = connect(listener.port, '127.0.0.1').on('error', () => {});
      socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n`);
      return socket;
    });
    try {
      await expect.poll(() => gone, { timeout: 8_000 }).toBeGreaterThanOrEqual(least);
      const health = await fetch(`http://127.0.0.1:${listener.port}/healthz`);
      expect(await health.text()).toBe('ok');
    } finally {
      for (const socket of sockets) socket.destroy();
      await listener.close(0);
    }
  }

  test('in time end their connections', () => cutOff(3, 16, 400, 3));

  test('take 64 MiB of memory and no more, however many they are', () => cutOff(12, 16, 60_000, 6));
});

describe('when every place is taken', () => {
  const PLACES = 512;

  /** Connections that have sent this. */
  async function take(port: number, count: number, text: string, host = '127.0.0.1') {
    const sockets = Array.from({ length: count }, () => connect(port, host).on('error', () => {}));
    await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('connect', done))));
    for (const socket of sockets) if (text !== '') socket.write(text);
    return sockets;
  }

  test('the oldest that has sent no request makes room, and is told to try again', async () => {
    const listener = await listen(async () => new Response('ok'), ordinary);
    const oldest = sendBytes(listener.port, `GET / HTTP/1.1\r\n${HOST}\r\n`);
    const others = await take(listener.port, PLACES - 1, '');
    expect(await sendBytes(listener.port, `GET / HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`)).toMatch(
      /ok$/,
    );
    const received = await oldest;
    expectRefused(received, 503);
    expect(received).toMatch(/\r\nretry-after: 1\r\n/i);
    for (const socket of others) socket.destroy();
    await listener.close(0);
  });

  test('by requests at work, the health check of this machine is answered, and others are told to try again', async () => {
    let asked = 0;
    const listener = await listen(async (request) => {
      if (request.url.endsWith('/healthz')) return new Response('ok');
      asked++;
      return new Promise<Response>(() => {});
    }, ordinary);
    const text = `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`;
    const busy = await take(listener.port, PLACES, text);
    await expect.poll(() => asked).toBe(PLACES);
    expectRefused(await sendBytes(listener.port, text), 503);
    const health = text.replace('/ ', '/healthz ').replace(HOST, `${HOST}\r\nConnection: close`);
    expect(statusesOf(await sendBytes(listener.port, health))).toEqual([200]);
    for (const socket of busy) socket.destroy();
    await listener.close(0);
  });

  test('requests sent ahead on one connection are 16 at most', async () => {
    const text = `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`;
    const listener = await listen(async () => new Response('ok'), ordinary);
    const received = await sendBytes(listener.port, text.repeat(30));
    expect(statusesOf(received).slice(0, 17)).toEqual([...Array.from({ length: 16 }, () => 200), 503]);
    await listener.close(0);
  });

  const address = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

  test.skipIf(!address)(
    'by one other machine, which may have 128, this one is not touched (only with a network)',
    async () => {
      const listener = await listen(async () => new Response('ok'), { ...ordinary, host: '0.0.0.0' });
      const local = await take(listener.port, 8, '');
      let lost = 0;
      for (const socket of local) socket.on('close', () => lost++);
      const remote = await take(listener.port, 200, '', address);
      let kept = remote.length;
      for (const socket of remote) socket.on('close', () => kept--).resume();
      await expect.poll(() => kept).toBe(128);
      expect(lost).toBe(0);
      for (const socket of [...local, ...remote]) socket.destroy();
      await listener.close(0);
    },
  );
});

test.each([
  ['127.0.0.1', undefined],
  ['127.9.9.9', undefined],
  ['::1', undefined],
  ['::ffff:127.0.0.1', undefined],
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001::2:3:4:5:6:7', '2001:0:2:3'],
  ['::2:3:4:5:6:7:8', '0:2:3:4'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s is of the network %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
