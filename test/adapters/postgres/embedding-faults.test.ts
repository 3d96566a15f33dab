/** What embedding workers do while their model or its service fails, hangs or refuses them. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DocfuseError } from '../../../src/core/errors.ts';
import type { Embedder } from '../../../src/core/ports.ts';
import { createToy, pages, partiesAt, password } from '../../support/postgres/embedding-parties.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { openTurnProxy } from '../../support/postgres/turn-proxy.ts';

const pglite = await openPglite();
const proxy = await openTurnProxy(pglite.url);
const own = new pg.Client({ connectionString: proxy.url, password });
const { open, startWorker, add } = partiesAt(proxy.url);
beforeAll(() => own.connect());
beforeEach(() => own.query('DROP SCHEMA IF EXISTS docfuse CASCADE'));
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await own.end();
  proxy.close();
  await pglite.close();
});

const leases = async () =>
  (await own.query('SELECT max(leases)::int AS leases FROM docfuse.jobs')).rows[0].leases;

/** A toy whose service fails while `broken.code` is set. */
function createBroken(code: 'remote' | 'config') {
  const toy = createToy();
  const broken = { code: code as 'remote' | 'config' | undefined, calls: 0 };
  const embedder: Embedder = {
    ...toy.embedder,
    async embedPassages(texts, signal) {
      broken.calls++;
      if (broken.code) throw new DocfuseError(broken.code, 'The service is away.', 'Start it.');
      return toy.embedder.embedPassages(texts, signal);
    },
  };
  return { embedder, broken };
}

test('a worker whose service is away withholds no passages, says so once, and goes on when it is back', async () => {
  await add(pages(0, 200));
  const { embedder, broken } = createBroken('remote');
  const worker = await startWorker(embedder);
  await expect.poll(() => broken.calls, { timeout: 15_000 }).toBeGreaterThan(3);
  await expect.poll(leases).toBe(0);
  const other = await open();
  expect(await other.take('toy', 1_000)).toHaveLength(200);
  await own.query("UPDATE docfuse.jobs SET until = '-infinity'");
  expect(worker.notes).toEqual(['The service is away. Trying again.']);
  broken.code = undefined;
  await expect.poll(worker.embedded, { timeout: 20_000 }).toBe(200);
  await worker.stop();
  await other.close();
}, 60_000);

test('a worker with wrong settings ends, and blames no passage', async () => {
  await add(pages(0, 200));
  const worker = await startWorker(createBroken('config').embedder);
  await expect(worker.ended).rejects.toMatchObject({ code: 'config' });
  expect(await leases()).toBe(0);
});

test('with --once, a worker whose service is away ends', async () => {
  await add(pages(0, 40));
  const worker = await startWorker(createBroken('remote').embedder, true);
  await expect(worker.ended).rejects.toThrow('The service is away.');
  expect(await leases()).toBe(0);
});

test('only the texts with which the model fails are blamed; the others of their batch are embedded', async () => {
  const texts = [...pages(0, 40), 'poison', ...pages(40, 50)];
  await add(texts);
  const toy = createToy('toy', (text) => text === 'poison');
  const worker = await startWorker(toy.embedder, true);
  expect(await worker.ended).toBe(50);
  expect(toy.texts.toSorted()).toEqual([...pages(0, 50)].sort());
  expect((await own.query('SELECT body, leases FROM docfuse.jobs WHERE vector IS NULL')).rows).toEqual([
    { body: '"poison"', leases: 3 },
  ]);
}, 30_000);

test('a model that fails with all texts blames none', async () => {
  await add(pages(0, 300));
  const worker = await startWorker(createToy('toy', () => true).embedder);
  await expect(worker.ended).rejects.toThrow('the model fails');
  expect(await leases()).toBe(0);
}, 30_000);

test('a model that hangs for two minutes loses its passages', async () => {
  await add(pages(0, 3));
  const [hangs, other] = [await open(), await open()];
  const keys = (await hangs.take('toy', 3)).map(({ key }) => key);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const takeAfter = async (seconds: number) => {
    await own.query("UPDATE docfuse.jobs SET until = '-infinity'");
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    await sleep(100);
    return other.take('toy', 3);
  };
  await hangs.during('toy', keys, async () => {
    expect(await takeAfter(110)).toEqual([]);
    await takeAfter(10);
    expect(await takeAfter(300)).toHaveLength(3);
  });
  await Promise.all([hangs.close(), other.close()]);
});
