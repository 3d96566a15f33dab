/** A link in a browser and a reader in a shell: `?q=`, and text in place of JSON. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asText } from '../../../src/surfaces/cli/views/show.ts';
import { createServed, type Served } from './served.ts';

let served: Served;
let plain: Served;
beforeAll(async () => {
  [served, plain] = await Promise.all([
    createServed({ asText: async (...answer) => asText(...answer) }),
    createServed(),
  ]);
  await served.ready();
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await plain?.[Symbol.asyncDispose]();
});
const TEXT = { accept: 'text/plain' };

test('q is the query of a link', async () => {
  const answer = await served.get('/api/search?q=rotate+a+token');
  const { hits, query } = JSON.parse(await answer.text());
  expect([query, hits[0].path]).toEqual(['rotate a token', 'guide/tokens.md']);
});

test('q is no other field, and not given twice', async () => {
  expect((await served.get('/api/search?q=a&query=b')).status).toBe(400);
  expect((await served.get('/api/documents?q=a')).status).toBe(400);
});

test.each([
  [
    '/api/search?q=rotate+a+token',
    /^notes\/guide\/tokens\.md:7 {2}Tokens {3}[01]\.\d\d high\n {2}To rotate a token/,
  ],
  [
    '/api/search?q=quantum+chromodynamics',
    /^Nothing here surely answers this: [^:]*\nNot sure that these answer it:\n\nnotes\/[\s\S]*\n0 hits, 3 unsure in /,
  ],
  ['/api/documents', /^notes\/backup\.md {2}Backups\n[\s\S]*\n3 documents\n$/],
  ['/api/documents/notes%2Fbackup.md', /^# Backups\n/],
  ['/api/documents/notes%2Fbackup.md?end_line=2&start_line=2', /^The page shows no text in line 2\.\n$/],
  ['/api/status', /^Index {2}/],
])('%s as text is what a terminal shows', async (path, expected) => {
  const response = await served.get(path, TEXT);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/i);
  expect(await response.text()).toMatch(expected);
});

test.each(['*/*', 'application/json, text/plain', 'text/html'])(
  'a client that accepts %s gets JSON',
  async (accept) => {
    expect((await served.get('/api/documents', { accept })).headers.get('content-type')).toContain(
      'application/json',
    );
  },
);

test.each([
  ['/api/documents/nowhere', 404, /^error: There is no document nowhere in the index\.\n.+\n$/],
  ['/api/search', 400, /^error: query is missing\.\n.+\n$/],
  ['/nowhere', 404, 'error: This path does not exist.\n/openapi.json lists all paths.\n'],
])(
  'the failure of %s as text is what a terminal shows, else a problem document',
  async (path, status, said) => {
    const failed = await served.get(path, TEXT);
    expect([failed.status, failed.headers.get('content-type')]).toEqual([
      status,
      'text/plain; charset=utf-8',
    ]);
    expect(failed.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await failed.text()).toMatch(said);
    expect((await served.get(path)).headers.get('content-type')).toBe('application/problem+json');
  },
);

test('a server without views answers in JSON', async () => {
  const failed = await plain.get('/api/documents/nowhere', TEXT);
  expect(failed.headers.get('content-type')).toBe('application/problem+json');
  expect((await plain.get('/api/documents', TEXT)).headers.get('content-type')).toContain('application/json');
});
