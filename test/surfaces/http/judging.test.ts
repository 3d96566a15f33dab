/** Grades that come over HTTP: only where judging is switched on, only from the page itself, into the files of `docfuse judge`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listJudged } from '../../../src/surfaces/operations/judge.ts';
import { createServed, type Served } from './served.ts';

const SITE = 'https://app.example';
let served: Served;
let plain: Served;
beforeAll(async () => {
  served = await createServed({ judge: true, settings: { server: { allowed_origins: [SITE] } } });
  plain = await createServed();
  await Promise.all([served.ready(), plain.ready()]);
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await plain?.[Symbol.asyncDispose]();
});

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into, field by field
const json = async (response: Response): Promise<any> => response.json();
const judge = (query: string, document: string, more: object = {}, headers = {}, to = served) =>
  to.post('/api/judge', { query, documents: [document], ...more }, headers);
const judged = async (to = served) =>
  listJudged.output.parse(await json(await to.get('/api/judged'))).sets[0]!;
const rows = () =>
  readFileSync(join(served.indexPath, 'judged/qrels.tsv'), 'utf8').split('\n').slice(1).filter(Boolean);

test('grades are kept in the files of docfuse judge, changed, listed and taken back', async () => {
  expect((await judged()).queries).toEqual([]);
  const first = await json(await judge('rotate a token', 'notes/guide/tokens.md', { grades: ['2'] }));
  expect(first).toMatchObject({ id: 'q1', judgements: [{ path: 'guide/tokens.md', grade: 2 }], queries: 1 });
  await judge('rotate a token', 'notes/backup.md', { grades: ['0'] });
  await judge('rotate a token', 'notes/guide/tokens.md', { grades: ['1'] });
  expect(rows()).toEqual(['q1\tguide/tokens.md\t1', 'q1\tbackup.md\t0']);
  const [query] = (await judged()).queries;
  expect(query).toEqual({
    ...{ query: 'rotate a token', unanswerable: false },
    judgements: [
      { document_id: 'notes/guide/tokens.md', path: 'guide/tokens.md', grade: 1 },
      { document_id: 'notes/backup.md', path: 'backup.md', grade: 0 },
    ],
  });
  const back = await json(await judge('rotate a token', 'notes/backup.md', { remove: true }));
  expect(back).toMatchObject({ removed: 1, queries: 1 });
  expect(rows()).toEqual(['q1\tguide/tokens.md\t1']);
  expect(
    await json(await served.post('/api/judge', { query: 'rotate a token', remove: true })),
  ).toMatchObject({
    ...{ removed: 1, queries: 0 },
  });
  expect((await judged()).queries).toEqual([]);
});

test('the mark of a query that nothing answers is taken back alone, and its grades stay', async () => {
  const mark = (more: object) =>
    served.post('/api/judge', { query: 'price of gold', unanswerable: true, ...more }).then(json);
  await mark({});
  await judge('price of gold', 'notes/backup.md', { grades: ['0'] });
  expect(await mark({ remove: true })).toMatchObject({ removed: 0, queries: 1 });
  const [query] = (await judged()).queries;
  expect(query).toMatchObject({ unanswerable: false, judgements: [{ path: 'backup.md', grade: 0 }] });
  await mark({});
  await judge('price of gold', 'notes/backup.md', { remove: true });
  expect((await judged()).queries).toMatchObject([{ unanswerable: true, judgements: [] }]);
  expect(await mark({ remove: true })).toMatchObject({ removed: 0, queries: 0 });
});

test('grades given at the same time are all kept', async () => {
  const documents = ['notes/guide/tokens.md', 'notes/backup.md', 'notes/code.md'];
  const queries = ['one', 'two', 'three', 'four'];
  const asked = queries.flatMap((query) =>
    documents.map((document) => judge(query, document, { grades: ['1'] })),
  );
  for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200);
  expect((await judged()).queries.map(({ judgements }) => judgements.length)).toEqual([3, 3, 3, 3]);
  for (const query of queries) await served.post('/api/judge', { query, remove: true });
});

test('a server that does not judge says so, and writes nothing', async () => {
  const refused = await judge('x', 'notes/backup.md', { grades: ['2'] }, {}, plain);
  expect(refused.status).toBe(400);
  expect(await json(refused)).toMatchObject({ code: 'config', remedy: expect.stringContaining('--judge') });
  expect((await plain.post('/api/tune', {})).status).toBe(400);
  expect((await judged(plain)).queries).toEqual([]);
  const facts = async (to: Served) => (await json(await to.get('/api/status'))).server.judging;
  expect([await facts(plain), await facts(served)]).toEqual([false, true]);
});

test.each([
  ['another page', { origin: 'https://evil.example' }, 403],
  ['a page that may search', { origin: SITE }, 403],
  ['a page without an origin', { origin: 'null' }, 403],
  ['an image or a link', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a form', { 'content-type': 'text/plain' }, 415],
])('%s writes nothing', async (_, headers, status) => {
  expect((await judge('x', 'notes/backup.md', { grades: ['2'] }, headers)).status).toBe(status);
  expect((await judged()).queries).toEqual([]);
});

test('what is wrong is refused, and writes nothing', async () => {
  expect((await served.get('/api/judge?query=x&documents=notes/backup.md&grades=2')).status).toBe(405);
  expect((await judge('x', 'notes/none.md', { grades: ['2'] })).status).toBe(404);
  expect((await judge('x', '../../etc/passwd', { grades: ['2'] })).status).toBe(404);
  expect((await judge('x', 'notes/backup.md', { grades: ['3'] })).status).toBe(400);
  expect((await judge('x', 'notes/backup.md')).status).toBe(400);
  for (const more of [{ set_folder: '/tmp/x' }, { top_n: 3 }])
    expect((await judge('x', 'notes/backup.md', { grades: ['2'], ...more })).status).toBe(400);
  for (const input of [{ sets: ['/tmp'] }, { docs: '/tmp' }, { write: true }])
    expect((await served.post('/api/tune', input)).status).toBe(400);
  expect((await judged()).queries).toEqual([]);
});

test('what tune would gain is measured, and nothing is written', async () => {
  for (let number = 0; number < 9; number++)
    await judge(`token ${number}`, 'notes/guide/tokens.md', { grades: ['2'] });
  const few = await served.post('/api/tune', {});
  expect(await json(few)).toMatchObject({ code: 'judgements', detail: expect.stringContaining('(9)') });
  await judge('nightly snapshot', 'notes/backup.md', { grades: ['2'] });
  const tuned = await json(await served.post('/api/tune', { folds: 2 }));
  expect(tuned.sets).toMatchObject([{ queries: 10 }]);
  expect(tuned.fusion.held_out.queries).toBe(10);
  expect(tuned.written).toBeUndefined();
  // The server still answers, from the same index.
  expect((await served.get('/api/search?q=token')).status).toBe(200);
});
