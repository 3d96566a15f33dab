/** When passages and vectors are deleted from the table that indexers and embedding workers share. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { vectorKey } from '../../../src/engine/workspace/vector-key.ts';
import { createToy, pages, partiesAt, password } from '../../support/postgres/embedding-parties.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { openTurnProxy } from '../../support/postgres/turn-proxy.ts';

const pglite = await openPglite();
const proxy = await openTurnProxy(pglite.url);
const own = new pg.Client({ connectionString: proxy.url, password });
const { open, share, add } = partiesAt(proxy.url);
const TEXTS = pages(0, 100);
beforeAll(() => own.connect());
beforeEach(() => own.query('DROP SCHEMA IF EXISTS docfuse CASCADE'));
afterAll(async () => {
  await own.end();
  proxy.close();
  await pglite.close();
});

/** Pretends that `minutes` pass. */
const pass = (minutes: number) =>
  own.query(
    `UPDATE docfuse.jobs SET asked = asked - interval '${minutes} minutes', until = until - interval '${minutes} minutes'`,
  );
const bodies = async () =>
  (await own.query("SELECT count(*)::int AS texts FROM docfuse.jobs WHERE body <> ''")).rows[0].texts;
const rows = async () => (await own.query('SELECT count(*)::int AS rows FROM docfuse.jobs')).rows[0].rows;

test('a stopped run leaves only those texts that a worker embeds', async () => {
  await add(TEXTS);
  const worker = await open();
  await worker.take('toy', 5);
  const indexer = share(createToy().embedder);
  const stop = new AbortController();
  const stopped = indexer.embedPassages(TEXTS, stop.signal);
  await expect
    .poll(async () => (await own.query('SELECT FROM docfuse.jobs WHERE leases > 0')).rowCount)
    .toBeGreaterThan(5);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  expect(await bodies()).toBe(5);
  await Promise.all([indexer.close(), worker.close()]);
});

test('an indexer that is closed, or whose model fails, leaves no texts', async () => {
  for (const isClosed of [true, false]) {
    const indexer = share(createToy('toy', () => true).embedder);
    const embedded = indexer.embedPassages(TEXTS).catch(() => {});
    if (isClosed) await expect.poll(() => bodies().catch(() => 0)).toBe(100);
    else await embedded;
    await indexer.close();
    await embedded;
    expect(await rows()).toBe(0);
  }
});

test('the next run deletes what a killed run left', async () => {
  await add(TEXTS);
  await pass(11);
  await add([]);
  expect(await rows()).toBe(0);
});

test('a passage that an indexer still asks for, or a worker embeds, outlives ten minutes', async () => {
  await add(TEXTS);
  const worker = await open();
  const taken = await worker.take('toy', 10);
  await pass(9);
  await add(TEXTS.slice(0, 70));
  await pass(2);
  await own.query(
    "UPDATE docfuse.jobs SET until = clock_timestamp() + interval '5 seconds' WHERE owner IS NOT NULL",
  );
  await add([]);
  const kept = new Set([...taken.map(({ key }) => key), ...TEXTS.slice(0, 70).map(vectorKey)]);
  expect(await rows()).toBe(kept.size);
  await worker.close();
});

test('an indexer that waits for slow workers keeps its passages', async () => {
  await add(TEXTS);
  const slow = await open();
  const taken = await slow.take('toy', 1_000);
  await pass(9);
  await own.query("UPDATE docfuse.jobs SET until = clock_timestamp() + interval '50 minutes'");
  const waiting = await open();
  await waiting.tidy(
    'toy',
    taken.map(({ key }) => key),
  );
  await own.query("UPDATE docfuse.jobs SET asked = asked - interval '2 minutes', until = '-infinity'");
  await add([]);
  expect(await rows()).toBe(100);
  await Promise.all([slow.close(), waiting.close()]);
});

test('a vector is kept for ten minutes from when it was stored', async () => {
  await add(TEXTS);
  const worker = await open();
  const keys = (await worker.take('toy', 1_000)).map(({ key }) => key);
  await own.query("UPDATE docfuse.jobs SET asked = asked - interval '30 minutes'");
  await worker.finish(
    'toy',
    keys,
    keys.map(() => new Float32Array(3)),
  );
  await pass(9);
  await add([]);
  expect(await rows()).toBe(100);
  await pass(2);
  await add([]);
  expect(await rows()).toBe(0);
  await worker.close();
});

test('an indexer adds what the table has lost, so that workers can take it', async () => {
  await add(TEXTS);
  const other = await open();
  await other.take('toy', 1_000);
  const indexer = share(createToy().embedder);
  const embedded = indexer.embedPassages(TEXTS);
  await new Promise((pause) => setTimeout(pause, 500));
  await own.query('TRUNCATE docfuse.jobs');
  await embedded;
  expect(await rows()).toBe(100);
  await Promise.all([other.close(), indexer.close()]);
});
