/** What indexers and embedding workers do while PostgreSQL does not answer, or refuses them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createToy, pages, partiesAt } from '../../support/postgres/embedding-parties.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { openTurnProxy } from '../../support/postgres/turn-proxy.ts';

let pglite: Awaited<ReturnType<typeof openPglite>>;
beforeAll(async () => {
  pglite = await openPglite();
});
beforeEach(() => pglite.db.exec('DROP SCHEMA IF EXISTS docfuse CASCADE'));
afterAll(() => pglite.close());

test('an indexer whose server goes away makes the rest alone, and says so once', async () => {
  const proxy = await openTurnProxy(pglite.url);
  const toy = createToy();
  const indexer = partiesAt(proxy.url).share(toy.embedder);
  const texts = pages(0, 300);
  const embedded = indexer.embedPassages(texts);
  await expect.poll(() => toy.texts.length).toBeGreaterThan(0);
  proxy.close();
  expect(await embedded).toEqual(toy.embedAll(texts));
  expect(indexer.problem!()).toMatch(
    /^This machine made vectors without embedding workers: PostgreSQL at 127\S+ does not answer/,
  );
  const began = performance.now();
  expect(await indexer.embedPassages(pages(300, 400))).toEqual(toy.embedAll(pages(300, 400)));
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(indexer.problem!()).toBeUndefined();
  await indexer.close();
}, 60_000);

test('a worker waits for its server, says so once in each outage, goes on, and can be stopped meanwhile', async () => {
  const first = await openTurnProxy(pglite.url);
  const { port } = new URL(first.url);
  const toy = createToy();
  const { startWorker, add } = partiesAt(first.url);
  await add([]);
  const worker = await startWorker(toy.embedder);
  await partiesAt(first.url).add(pages(0, 40));
  await expect.poll(worker.embedded).toBe(40);
  first.close();
  await expect
    .poll(() => worker.notes, { timeout: 30_000 })
    .toEqual([expect.stringMatching(/127\S+ does not answer.*Trying again/)]);
  const second = await openTurnProxy(pglite.url, Number(port));
  await partiesAt(second.url).add(pages(40, 80));
  await expect.poll(worker.embedded, { timeout: 30_000 }).toBe(80);
  expect(worker.notes.slice(1)).toEqual(['PostgreSQL answers again.']);
  second.close();
  await expect.poll(() => worker.notes, { timeout: 30_000 }).toHaveLength(3);
  // The client is repeating a request, which fails.
  await new Promise((pause) => setTimeout(pause, 1_500));
  expect(await worker.stop()).toBe(80);
}, 60_000);

test('a worker that is told to stop finishes its batches', async () => {
  const proxy = await openTurnProxy(pglite.url);
  const { startWorker, add, open } = partiesAt(proxy.url);
  const texts = pages(1_000, 1_200);
  await add(texts);
  const toy = createToy();
  const worker = await startWorker(toy.embedder);
  await expect.poll(() => toy.texts.length).toBeGreaterThan(0);
  const embedded = await worker.stop();
  expect(embedded).toBeLessThan(texts.length);
  expect([toy.begun.length, toy.texts.length]).toEqual([embedded, embedded]);
  const jobs = await open();
  // All that it had taken is done, so the others can be taken at once.
  expect(await jobs.take('toy', 1_000)).toHaveLength(texts.length - embedded);
  await jobs.close();
  proxy.close();
}, 60_000);

test('a worker needs no more rights than to read and update, and is told when it lacks them', async () => {
  const proxy = await openTurnProxy(pglite.url);
  const { startWorker, add } = partiesAt(proxy.url);
  // The role may search: also what is published from now on.
  await pglite.db.exec(`CREATE SCHEMA docfuse; CREATE ROLE embedder; GRANT USAGE ON SCHEMA docfuse TO embedder;
    ALTER DEFAULT PRIVILEGES IN SCHEMA docfuse GRANT SELECT ON TABLES TO embedder, PUBLIC`);
  await add(pages(2_000, 2_040));
  const may = "SELECT has_table_privilege('embedder', 'docfuse.jobs', 'SELECT') AS may";
  expect((await pglite.db.query(may)).rows).toEqual([{ may: false }]);
  await pglite.db.exec('SET ROLE embedder');
  const refused = await startWorker(createToy().embedder);
  await expect(refused.ended).rejects.toMatchObject({
    code: 'remote',
    message: expect.stringMatching(/does not allow this.*permission denied for table jobs/),
    remedy: expect.stringContaining('to embed, SELECT and UPDATE'),
  });
  await pglite.db.exec(`RESET ROLE; GRANT USAGE ON SCHEMA docfuse TO embedder;
    GRANT SELECT ON docfuse.layout TO embedder; GRANT SELECT, UPDATE ON docfuse.jobs TO embedder; SET ROLE embedder`);
  const toy = createToy();
  const allowed = await startWorker(toy.embedder, true);
  await allowed.ended;
  await pglite.db.exec('RESET ROLE');
  expect(toy.texts).toEqual(expect.arrayContaining(pages(2_000, 2_040)));
  proxy.close();
}, 60_000);

test('without a table, a worker that should end when nothing waits says that nothing is there', async () => {
  const empty = await openPglite();
  const proxy = await openTurnProxy(empty.url);
  const { startWorker } = partiesAt(proxy.url);
  const once = await startWorker(createToy().embedder, true);
  await expect(once.ended).rejects.toMatchObject({ code: 'index_missing' });
  const waits = await startWorker(createToy().embedder);
  await expect.poll(() => waits.notes).toEqual([expect.stringContaining('no table of passages yet')]);
  expect(await waits.stop()).toBe(0);
  proxy.close();
  await empty.close();
}, 60_000);
