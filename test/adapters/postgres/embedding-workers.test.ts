/** Several indexers and workers embed through one table, on PGlite and, if DOCFUSE_PG_URL is set, on a server. */
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Embedder } from '../../../src/core/ports.ts';
import { vectorKey } from '../../../src/engine/workspace/vector-key.ts';
import { createToy, pages, partiesAt, password } from '../../support/postgres/embedding-parties.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { openTurnProxy } from '../../support/postgres/turn-proxy.ts';

function tests(url: string, query: (text: string) => Promise<unknown>): void {
  beforeEach(() => query('DROP SCHEMA IF EXISTS docfuse CASCADE'));
  const { open, share, add, ...parties } = partiesAt(url);

  /** A worker that outlives a failed test would take the passages of the next one. */
  async function startWorker(...asked: Parameters<typeof parties.startWorker>) {
    const worker = await parties.startWorker(...asked);
    onTestFinished(() =>
      worker.stop().then(
        () => {},
        () => {},
      ),
    );
    return worker;
  }

  test('two indexers and two workers make each vector once, and each indexer gets all of its own', async () => {
    const toys = Array.from({ length: 4 }, () => createToy());
    const [one, two, three, four] = toys.map(({ embedder }) => embedder) as [
      Embedder,
      Embedder,
      Embedder,
      Embedder,
    ];
    await add([]);
    const workers = [await startWorker(three), await startWorker(four)];
    const indexers = [share(one), share(two)];
    // More than two indexers embed while a worker sleeps.
    const texts = [pages(0, 3_000), pages(1_500, 4_500)];
    const made = await Promise.all(indexers.map((indexer, place) => indexer.embedPassages(texts[place]!)));
    expect(made).toEqual(texts.map(toys[0]!.embedAll));
    for (const worker of workers) expect(await worker.stop()).toBeGreaterThan(0);
    expect(toys.flatMap((toy) => toy.texts).sort()).toEqual(pages(0, 4_500).sort());
    for (const indexer of indexers) {
      expect(indexer.problem!()).toBeUndefined();
      await indexer.close();
    }
  }, 30_000);

  test('without a worker, the indexer makes all vectors', async () => {
    const toy = createToy();
    const indexer = share(toy.embedder);
    const texts = [...pages(0, 100), 'a\0b \ud800 c', 'page 3 says something', ''];
    expect(await indexer.embedPassages(texts)).toEqual(toy.embedAll(texts));
    expect(indexer.problem!()).toBeUndefined();
    await indexer.close();
  });

  test('a text that a database refuses reaches the worker unchanged', async () => {
    const texts = ['a\0b \ud800 c', '', '"\\u0000"', '漢字 🙂'];
    await add(texts);
    const toy = createToy();
    await (await startWorker(toy.embedder, true)).ended;
    expect(toy.texts.toSorted()).toEqual(texts.toSorted());
  });

  test('what a killed worker had taken is embedded by others after its lease', async () => {
    const texts = pages(0, 100);
    await add(texts);
    const killed = await open();
    const [taken, other] = [await killed.take('toy', 32), await killed.take('toy', 1_000)];
    expect([taken.length, other.length]).toEqual([32, 68]);
    expect(await killed.take('toy', 1)).toEqual([]);
    await killed.close();
    const toy = createToy();
    const indexer = share(toy.embedder);
    const embedded = indexer.embedPassages(texts);
    await new Promise((pause) => setTimeout(pause, 500));
    expect(toy.texts).toEqual([]);
    await query("UPDATE docfuse.jobs SET until = until - interval '20 seconds'");
    expect(await embedded).toEqual(toy.embedAll(texts));
    await indexer.close();
  });

  test('what is no longer in the table is embedded by its indexer', async () => {
    const texts = pages(0, 100);
    await add(texts);
    const other = await open();
    await other.take('toy', 1_000);
    const toy = createToy();
    const indexer = share(toy.embedder);
    const embedded = indexer.embedPassages(texts);
    await new Promise((pause) => setTimeout(pause, 500));
    // As a crash of the server empties it.
    await query('TRUNCATE docfuse.jobs');
    expect(await embedded).toEqual(toy.embedAll(texts));
    expect(toy.texts).toHaveLength(100);
    await Promise.all([other.close(), indexer.close()]);
  });

  test('a lease is renewed while the model works', async () => {
    await add(pages(0, 3));
    const [slow, other] = [await open(), await open()];
    const keys = (await slow.take('toy', 3)).map(({ key }) => key);
    const takeAfter = async () => {
      await query("UPDATE docfuse.jobs SET until = clock_timestamp() + interval '7 seconds'");
      await new Promise((pause) => setTimeout(pause, 7_500));
      return other.take('toy', 3);
    };
    expect(await slow.during('toy', keys, takeAfter)).toEqual([]);
    await Promise.all([slow.close(), other.close()]);
  }, 20_000);

  test('a text with which the model fails is left to its indexer after three tries', async () => {
    const texts = [...pages(0, 70), 'poison'];
    const isPoison = (text: string) => text === 'poison';
    const worker = createToy('toy', isPoison);
    await add(texts);
    const started = await startWorker(worker.embedder, true);
    expect(await started.ended).toBeLessThan(71);
    const note = /^The model failed, and passages are given back: the model fails/;
    expect(started.notes.length).toBeLessThanOrEqual(3);
    expect(started.notes[0]).toMatch(note);
    const sound = createToy();
    const indexer = share(sound.embedder);
    expect(await indexer.embedPassages(texts)).toEqual(sound.embedAll(texts));
    expect(sound.texts).toContain('poison');
    await indexer.close();
    const failing = share(createToy('toy', isPoison).embedder);
    await query('TRUNCATE docfuse.jobs');
    await expect(failing.embedPassages(texts)).rejects.toThrow('the model fails');
    await failing.close();
  });

  test('a worker whose model always fails ends with its error', async () => {
    await add(pages(0, 300));
    const worker = await startWorker(createToy('toy', () => true).embedder);
    await expect(worker.ended).rejects.toThrow('the model fails');
  });

  test('passages of another model are not embedded, and that is said', async () => {
    await add(pages(0, 5), 'other@1');
    const toy = createToy();
    const waits = await startWorker(toy.embedder);
    await expect
      .poll(() => waits.notes)
      .toEqual([
        expect.stringMatching(
          /^Passages wait for vectors of other@1, but this worker has toy\. Give the worker/,
        ),
      ]);
    expect(await waits.stop()).toBe(0);
    await expect((await startWorker(toy.embedder, true)).ended).rejects.toMatchObject({ code: 'config' });
    expect(toy.texts).toEqual([]);
  });

  test('a vector of another length is not taken', async () => {
    const texts = pages(0, 70);
    await add(texts);
    const jobs = await open();
    const keys = texts.map(vectorKey);
    await jobs.finish(
      'toy',
      keys,
      keys.map(() => new Float32Array(5)),
    );
    const toy = createToy();
    const indexer = share(toy.embedder);
    expect(await indexer.embedPassages(texts)).toEqual(toy.embedAll(texts));
    await Promise.all([jobs.close(), indexer.close()]);
  });

  test('vectors outlive a stopped run for ten minutes', async () => {
    const texts = pages(0, 70);
    await add(texts);
    await (await startWorker(createToy().embedder, true)).ended;
    const [next, later] = [createToy(), createToy()];
    const indexers = [share(next.embedder), share(later.embedder)] as const;
    expect(await indexers[0].embedPassages(texts)).toEqual(next.embedAll(texts));
    expect(next.texts).toEqual([]);
    await query("UPDATE docfuse.jobs SET until = until - interval '11 minutes'");
    expect(await indexers[1].embedPassages(texts)).toEqual(next.embedAll(texts));
    expect(later.texts).toHaveLength(70);
    for (const each of indexers) await each.close();
  });

  test('a stopped run gives nothing', async () => {
    const indexer = share(createToy().embedder);
    const stop = new AbortController();
    const stopped = indexer.embedPassages(pages(0, 500), stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 50);
    await expect(stopped).rejects.toThrow('stopped');
    await indexer.close();
  });

  test('newer tables are refused', async () => {
    await add([]);
    await query('UPDATE docfuse.layout SET version = version + 90');
    const toy = createToy();
    await expect((await startWorker(toy.embedder)).ended).rejects.toMatchObject({ code: 'index_newer' });
    const indexer = share(toy.embedder);
    expect(await indexer.embedPassages(pages(0, 70))).toEqual(toy.embedAll(pages(0, 70)));
    expect(indexer.problem!()).toMatch(/made vectors without embedding workers: .*newer docfuse/);
    expect(indexer.problem!()).toBeUndefined();
    await query('UPDATE docfuse.layout SET version = version - 90');
    await indexer.close();
  });
}

describe('embedding workers on PGlite', async () => {
  const pglite = await openPglite();
  const proxy = await openTurnProxy(pglite.url);
  const own = new pg.Client({ connectionString: proxy.url, password });
  await own.connect();
  afterAll(async () => {
    await own.end();
    proxy.close();
    await pglite.close();
  });
  tests(proxy.url, (text) => own.query(text));
});

const server = process.env.DOCFUSE_PG_URL;
const skipped = server === undefined ? ': skipped, because DOCFUSE_PG_URL is not set' : '';
describe.skipIf(server === undefined)(`embedding workers on a server${skipped}`, async () => {
  if (server === undefined) return;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const name = `docfuse_workers_${process.pid}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = server.replace(/\/[^/]*$/, `/${name}`);
  const own = new pg.Client({ connectionString: url });
  await own.connect();
  afterAll(async () => {
    await own.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });
  tests(url, (text) => own.query(text));
});
