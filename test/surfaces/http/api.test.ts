/** What the HTTP API answers, right and wrong. */
import { dirname, join, relative } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../../../src/surfaces/http/create-server.ts';
import { createEventLog } from '../../../src/surfaces/http/event-log.ts';
import { LOOPBACK_HOSTS } from '../../../src/surfaces/http/guard.ts';
import type { Operation } from '../../../src/surfaces/operations/operation.ts';
import { operations } from '../../../src/surfaces/operations/operations.ts';
import { search } from '../../../src/surfaces/operations/search.ts';
import { checkOf, complaintsAbout, type Described, type OperationItem } from './described.ts';
import { createServed, type Served } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await createServed();
  await served.ready();
});
afterAll(() => served?.[Symbol.asyncDispose]());

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into, field by field
const json = async (answer: Promise<Response>): Promise<any> => (await answer).json();
const paths = async (query: string) =>
  (await json(served.get(`/api/search?min_confidence=0&${query}`))).hits.map(
    (hit: { path: string }) => hit.path,
  );

test('status tells how long searches took, by words and with meaning apart, and nothing of what was asked', async () => {
  const counts = async () => {
    const { searches } = (await json(served.get('/api/status'))).server;
    return [searches.by_words, searches.with_meaning].map((times) => times?.count ?? 0);
  };
  const [words = 0, meaning = 0] = await counts();
  for (const mode of ['keyword', 'code']) await json(served.get(`/api/search?query=zeppelin&mode=${mode}`));
  await json(served.get('/api/search?query=zeppelin'));
  await served.get('/api/search?query=zeppelin&top_n=0');
  await json(served.post('/api/hypothesis', { hypothesis: 'A zeppelin.' }));
  expect(await counts()).toEqual([words + 2, meaning + 2]);
  const { server } = await json(served.get('/api/status'));
  for (const times of Object.values<typeof server>(server.searches)) {
    expect(times.recent_ms).toHaveLength(times.count);
    expect(times.p50_ms).toBeGreaterThan(0);
    expect(times.p95_ms).toBeGreaterThanOrEqual(times.p50_ms);
  }
  expect(JSON.stringify(server)).not.toContain('zeppelin');
});

test('doctor checks the index of the server', async () => {
  const { healthy, checks } = await json(served.post('/api/doctor', {}));
  expect(healthy).toBe(true);
  expect(checks.map(({ name }: { readonly name: string }) => name)).toEqual(
    expect.arrayContaining(['config', 'node', 'database', 'model', 'query']),
  );
});

describe('a search', () => {
  test('answers in the shape of the operation, by GET as by POST', async () => {
    const posted = search.output.parse(
      await json(served.post('/api/search', { query: 'rotate a token', top_n: 2 })),
    );
    expect(posted.hits[0]).toMatchObject({ path: 'guide/tokens.md', rank: 1 });
    const got = search.output.parse(await json(served.get('/api/search?query=rotate+a+token&top_n=2')));
    expect([got.hits, got.stats, got.weights]).toEqual([posted.hits, posted.stats, posted.weights]);
  });

  test('reads its parameters by one rule: dots into fields, lists repeated, numbers and booleans as in JSON', async () => {
    expect(await paths('query=token&filters.tag=auth')).toEqual(['guide/tokens.md']);
    expect(await paths('query=token&filters.where.status=draft')).toEqual(['guide/tokens.md']);
    expect(await paths('query=token&filters.exclude=guide&filters.exclude=code.md')).toEqual(['backup.md']);
    expect(await paths('query=token&top_n=1&parents=false')).toHaveLength(1);
    expect(await paths('query=%2Dtoken+snapshot')).not.toContain('guide/tokens.md');
  });

  test('sees a file that was written just before', async () => {
    await new Promise((next) => setTimeout(next, 300));
    served.write('new.md', '# Quinces\n\nA quince is hard.\n');
    expect(await paths('query=quince&mode=keyword')).toEqual(['new.md']);
  });

  test('by hypothesis, by preset and explained goes by the same model', async () => {
    const body = {
      hypothesis: 'A token is renewed on the settings page.',
      preset: 'research',
      explain: true,
    };
    const answer = await json(served.post('/api/hypothesis', body));
    expect(answer.hits[0].path).toBe('guide/tokens.md');
    expect(answer.hits[0].explanation.parts).not.toHaveLength(0);
  });
});

describe('a request that is wrong', () => {
  test.each([
    ['/api/search?query=a&top_m=1', 400, 'usage', /unknown field top_m/],
    ['/api/search?query=a&limit=1', 400, 'usage', /unknown field limit \(nearest: top_n\)/],
    ['/api/search?query=a&top_n=0', 400, 'usage', /top_n/],
    ['/api/search?query=a&top_n=1.5', 400, 'usage', /top_n/],
    ['/api/search?query=a&top_n=ten', 400, 'usage', /top_n/],
    ['/api/search?query=a&top_n=1&top_n=2', 400, 'usage', /top_n/],
    ['/api/search?query=a&parents=yes', 400, 'usage', /parents/],
    ['/api/search?query=a&filters.tags=x', 400, 'usage', /^filters: unknown field tags \(nearest: tag\)\.$/],
    ['/api/search?query=a&filters.where=status=draft', 400, 'usage', /^filters\.where has no key\.$/],
    ['/api/search?query=a&filters=x', 400, 'usage', /filters/],
    ['/api/search?query=a&filters.after=soon', 400, 'usage', /soon/],
    ['/api/search', 400, 'usage', /query/],
    ['/api/documents/notes/tokens.md', 404, 'not_found', /tokens\.md/],
    ['/api/documents/two%0Alines.md', 404, 'not_found', /two\nlines\.md in the index/],
    ['/api/documents/notes/backup.md?document=x', 400, 'malformed', /path already contains/],
    ['/nowhere', 404, 'no_such_route', /does not exist/],
  ])('%s: %i %s', async (path, status, code, detail) => {
    const answer = await served.get(path);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toEqual({
      type: `urn:docfuse:error:${code}`,
      title: expect.stringMatching(/\w/),
      status,
      detail: expect.stringMatching(detail),
      code,
      remedy: expect.stringMatching(/\w/),
    });
    expect(answer.status).toBe(status);
  });

  test('a method that is not offered is told which are', async () => {
    for (const [path, allow] of [
      ['/api/search', 'GET, POST, HEAD, OPTIONS'],
      ['/openapi.json', 'GET, HEAD, OPTIONS'],
    ]) {
      const answer = await fetch(served.server.url + path, { method: 'DELETE' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
      const options = await fetch(served.server.url + path, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
    }
  });

  test('a POST with a query is told to choose', async () => {
    expect((await served.post('/api/search?query=a', { query: 'b' })).status).toBe(400);
  });
});

test('HEAD tells what GET would, without a body, and leaves no stream open', async () => {
  for (const path of ['/api/status', '/api/events', '/']) {
    const answer = await fetch(served.server.url + path, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  }
});

test('the page at the root is HTML with a form, built or not', async () => {
  const answer = await served.get('/');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await answer.text()).toContain('<input type="search" name="q"');
});

test('a document is found by what answers call it, and an answer tells nothing of other files', async () => {
  served.write('.gitignore', 'private/\n');
  served.write('private/plan.md', '# Plan\n');
  const file = join(served.folder, 'backup.md');
  const ask = (name: string) => served.get(`/api/documents/${encodeURIComponent(name)}`);
  for (const name of ['notes/backup.md', 'backup.md', 'Backups', file])
    expect(await json(ask(name)), name).toMatchObject({ document_id: 'notes/backup.md', file });
  const related = (document: string) => served.post('/api/related', { document });
  const outside = join('..', relative(dirname(dirname(served.folder)), file));
  const others = ['private/plan.md', 'private/none.md'];
  for (const name of [...others, ...others.map((other) => join(served.folder, other)), outside])
    for (const answer of await Promise.all([ask(name), related(name)]))
      expect(await answer.json()).toMatchObject({
        code: 'not_found',
        detail: `There is no document ${name} in the index.`,
        remedy: expect.not.stringContaining('docfuse index'),
      });
});

test('status tells of the server and what it does', async () => {
  const { server, index } = await json(served.get('/api/status'));
  expect(server).toMatchObject({ url: served.server.url, pid: process.pid, requests: 1 });
  expect(['idle', 'reading', 'embedding']).toContain(server.activity.state);
  expect(index.documents).toBeGreaterThan(2);
});

test('a client that goes away is no failure, and the next is answered', async () => {
  for (let time = 0; time < 5; time++) {
    const controller = new AbortController();
    const asked = fetch(`${served.server.url}/api/search?query=token`, { signal: controller.signal });
    setTimeout(() => controller.abort(), time);
    await asked.then((answer) => answer.text()).catch(() => {});
  }
  await expect.poll(async () => (await json(served.get('/api/status'))).server.requests).toBe(1);
});

test('without a port it is a function; what is mounted at /mcp stands behind the guard', async () => {
  const events = createEventLog({ run: 'test' });
  const server = createServer({
    context: { options: {}, now: () => 0, open: () => Promise.reject(new Error('not asked for')) },
    guard: { hosts: LOOPBACK_HOSTS, origins: [], tokens: ['secret'] },
    mcp: () => () => new McpServer({ name: 'here', version: '0' }),
    ...{ events, version: '0' },
  });
  const at = (path: string, headers = {}) =>
    server.fetch(new Request(`http://localhost${path}`, { headers }));
  expect((await at('/mcp')).status).toBe(401);
  const allowed = await at('/mcp', { authorization: 'Bearer secret' });
  expect(await allowed.json()).toMatchObject({ jsonrpc: '2.0', error: { message: 'Method not allowed.' } });
  expect(allowed.headers.get('x-content-type-options')).toBe('nosniff');
  // What fails inside an operation is told as a problem, too.
  const failed = await at('/api/status', { authorization: 'Bearer secret' });
  expect(await failed.json()).toMatchObject({ status: 500, code: 'internal' });
});

describe('the OpenAPI document', () => {
  let described: Described & { readonly openapi: string; readonly info: { readonly version: string } };
  beforeAll(async () => {
    described = await json(served.get('/openapi.json'));
  });
  const each = () =>
    Object.entries(described.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        path,
        method,
        operation: operation as OperationItem,
      })),
    );

  test('is one of OpenAPI 3.1 and names every route once', () => {
    expect(described.openapi).toBe('3.1.0');
    const routes = (operations as readonly Operation[]).flatMap(({ http }) => http?.path ?? []);
    expect(Object.keys(described.paths)).toEqual([...routes, '/api/events', '/healthz']);
    const ids = each().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('refers only to what it holds', () => {
    for (const [, target] of JSON.stringify(described).matchAll(/"\$ref":"([^"]*)"/g)) {
      const found = target!
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((place, step) => (place as Record<string, unknown>)?.[step], described);
      expect(found, target).toBeTypeOf('object');
    }
  });

  test('describes each parameter once, those in the path as needed', () => {
    for (const { path, operation } of each()) {
      const parameters = operation.parameters ?? [];
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
      const places = parameters.filter((parameter) => parameter.in === 'path');
      expect(places.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const { required } of places) expect(required).toBe(true);
    }
  });

  test('holds schemas that can be read back, and answers keep to them', async () => {
    for (const schema of Object.values(described.components.schemas)) checkOf(described, schema);
    const asked = {
      '/api/search': 'query=token&explain=true',
      '/api/hypothesis': 'hypothesis=a+token',
      '/api/related': 'document=notes/backup.md',
    };
    for (const [path, item] of Object.entries(described.paths)) {
      if (path === '/api/events' || !item.get) continue;
      const query = (asked as Readonly<Record<string, string>>)[path] ?? '';
      const answer = await served.get(`${path.replace('{document}', 'notes%2Fbackup.md')}?${query}`);
      expect(answer.status, path).toBe(200);
      expect(await complaintsAbout(described, item.get, answer)).toEqual([]);
    }
  });

  test('asks for a token where the server does', async () => {
    await using locked = await createServed({ token: 'secret' });
    const document = await json(locked.get('/openapi.json', { authorization: 'Bearer secret' }));
    expect(document.security).toEqual([{ token: [] }]);
    expect(document.components.securitySchemes.token).toEqual({ type: 'http', scheme: 'bearer' });
  });
});
