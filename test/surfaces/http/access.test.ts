/** Who may ask: host, origin and token, as the bytes an attacker would send. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefused, GET, hostLine, SECRET, sendRequest } from './attack.ts';
import { createServed, type Served, statusesOf } from './served.ts';

let served: Served;
let locked: Served;
const TOKEN = 'a-token-of-some-length';

beforeAll(async () => {
  served = await createServed({
    settings: { server: { allowed_hosts: ['notes.example'], allowed_origins: ['https://app.example'] } },
  });
  locked = await createServed({ token: TOKEN });
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await locked?.[Symbol.asyncDispose]();
});

const host = (to = served) => hostLine(to);
const ask = (lines: readonly string[], body = '', to = served) => sendRequest(to, lines, body);

describe('the host asked for', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'notes.example', 'LOCALHOST', 'localhost:7331'])(
    '%s is this machine',
    async (name) => {
      const received = await ask([GET, `Host: ${name}`]);
      expect(statusesOf(received)).toEqual([200]);
      expect(received).toContain(SECRET);
    },
  );

  test.each([
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.', 400],
    ['localhost@evil.example', 400],
    ['evil.example#localhost', 400],
    ['127.0.0.1, evil.example', 400],
    ['2130706433', 403],
    ['', 400],
  ])('%s is not: DNS rebinding', async (name, status) => {
    expectRefused(await ask([GET, `Host: ${name}`]), status);
  });

  test('is checked in the target as well as in the header', async () => {
    const target = `GET http://evil.example/api/status HTTP/1.1`;
    expectRefused(await ask([target, host()]), 403);
    const own = `GET http://localhost/api/status HTTP/1.1`;
    expectRefused(await ask([own, 'Host: evil.example']), 403);
  });

  test('given twice is refused, in either order', async () => {
    expectRefused(await ask([GET, host(), 'Host: evil.example']), 400);
    expectRefused(await ask([GET, 'Host: evil.example', host()]), 403);
  });

  test('missing is refused, under HTTP/1.0 too', async () => {
    expect(statusesOf(await ask([GET]))).toEqual([400]);
    expect(statusesOf(await ask(['GET /api/status HTTP/1.0']))).toEqual([400]);
    expect(statusesOf(await ask(['GET /api/status HTTP/1.0', host()]))).toEqual([200]);
  });

  test.each(['/', '/healthz', '/openapi.json', '/api/events', '/mcp', '/nowhere'])(
    'is checked at %s',
    async (path) => {
      expectRefused(await ask([`GET ${path} HTTP/1.1`, 'Host: evil.example']), 403);
    },
  );
});

describe('the page that asks', () => {
  test.each([
    'http://evil.example',
    'null',
    'https://app.example.evil.example',
    'http://127.0.0.1:1',
    'file://',
  ])('%s may not', async (origin) => {
    expectRefused(await ask([GET, host(), `Origin: ${origin}`]), 403);
    const body = '{"query":"token"}';
    const lines = [
      'POST /api/search HTTP/1.1',
      host(),
      'Content-Type: text/plain',
      `Content-Length: ${body.length}`,
    ];
    expectRefused(await ask([...lines, `Origin: ${origin}`], body), 403);
  });

  test('one of another scheme on the same host and port may not', async () => {
    for (const scheme of ['https', 'ws', 'ftp', 'chrome-extension']) {
      expectRefused(await ask([GET, host(), `Origin: ${scheme}://127.0.0.1:${served.port}`]), 403);
    }
  });

  test('our own may, and one that is listed, which alone is told so', async () => {
    const own = await ask([GET, host(), `Origin: http://127.0.0.1:${served.port}`]);
    expect(statusesOf(own)).toEqual([200]);
    expect(own).not.toMatch(/access-control/i);
    const listed = await ask([GET, host(), 'Origin: https://app.example']);
    expect(listed).toContain('access-control-allow-origin: https://app.example');
    expect(listed).not.toContain('*');
  });

  test.each(['cross-site', 'same-site', 'Cross-Site'])(
    'an image, a script or a link of a %s page may not, though it names no origin',
    async (site) => {
      for (const path of ['/api/search?query=token', '/api/status', '/']) {
        const lines = [`GET ${path} HTTP/1.1`, host(), `Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: no-cors'];
        expectRefused(await ask(lines), 403);
      }
      const own = `Origin: http://127.0.0.1:${served.port}`;
      expectRefused(await ask([GET, host(), own, `Sec-Fetch-Site: ${site}`]), 403);
      const listed = [GET, host(), 'Origin: https://app.example', `Sec-Fetch-Site: ${site}`];
      expect(statusesOf(await ask(listed))).toEqual([200]);
    },
  );

  test.each(['same-origin', 'none'])('one the browser calls %s may', async (site) => {
    expect(statusesOf(await ask([GET, host(), `Sec-Fetch-Site: ${site}`]))).toEqual([200]);
  });

  test('a preflight is answered for listed pages alone', async () => {
    const preflight = ['OPTIONS /api/search HTTP/1.1', host(), 'Access-Control-Request-Method: POST'];
    const listed = await ask([...preflight, 'Origin: https://app.example']);
    expect(statusesOf(listed)).toEqual([204]);
    expect(listed).toContain('access-control-allow-methods: GET, HEAD, POST, OPTIONS');
    expectRefused(await ask([...preflight, 'Origin: https://evil.example']), 403);
  });
});

describe('the token', () => {
  const withToken = (...lines: string[]) => ask([GET, host(locked), ...lines], '', locked);

  test('opens the door, in any spelling of Bearer', async () => {
    expect(statusesOf(await withToken(`Authorization: Bearer ${TOKEN}`))).toEqual([200]);
    expect(statusesOf(await withToken(`authorization: bearer ${TOKEN}`))).toEqual([200]);
  });

  test.each([
    ['missing', []],
    ['wrong', ['Authorization: Bearer wrong']],
    ['empty', ['Authorization: Bearer ']],
    ['cut short', [`Authorization: Bearer ${TOKEN.slice(0, -1)}`]],
    ['longer', [`Authorization: Bearer ${TOKEN}x`]],
    ['of another scheme', [`Authorization: Basic ${TOKEN}`]],
    ['given twice, one of them right', [`Authorization: Bearer ${TOKEN}`, 'Authorization: Bearer wrong']],
    ['given twice, the other right', ['Authorization: Bearer wrong', `Authorization: Bearer ${TOKEN}`]],
    ['in a list', [`Authorization: Bearer wrong, Bearer ${TOKEN}`]],
  ])('%s does not', async (_, lines) => {
    const received = await withToken(...lines);
    expectRefused(received, 401);
    expect(received).toContain('www-authenticate: Bearer');
  });

  test('is not read from the address', async () => {
    expectRefused(await ask([`GET /api/status?token=${TOKEN} HTTP/1.1`, host(locked)], '', locked), 401);
  });

  test.each([
    '/openapi.json',
    '/api/events',
    '/api/documents/notes%2Fbackup.md',
    '/nowhere',
    '/assets/none.js',
  ])('is needed at %s', async (path) => {
    expectRefused(await ask([`GET ${path} HTTP/1.1`, host(locked)], '', locked), 401);
  });

  test('is not needed for the page, which contains nothing of the documents', async () => {
    const received = await ask(['GET /?q=snapshot HTTP/1.1', host(locked)], '', locked);
    expect(statusesOf(received)).toEqual([200]);
    expect(received).not.toContain('backup.md');
  });

  test('does not replace the checks of host and origin', async () => {
    const right = `Authorization: Bearer ${TOKEN}`;
    expectRefused(await ask([GET, 'Host: evil.example', right], '', locked), 403);
    expectRefused(await ask([GET, host(locked), right, 'Origin: http://evil.example'], '', locked), 403);
  });

  test('whether the server is up may be asked without', async () => {
    expect(statusesOf(await ask(['GET /healthz HTTP/1.1', host(locked)], '', locked))).toEqual([200]);
  });
});

test('every answer says that it is not to be kept, framed, sniffed or told on', async () => {
  for (const path of ['/', '/api/status', '/openapi.json', '/healthz', '/nowhere', '/api/search']) {
    const { headers } = await served.get(path);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});
