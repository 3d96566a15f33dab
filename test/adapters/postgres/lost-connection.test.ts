/** What happens when a connection to PostgreSQL is cut, or when a server cannot do what is asked. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { documentParts } from '../../../src/adapters/published/document-parts.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { openCuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { memorySource, openRetrieval } from '../../support/published/publish-memory.ts';

let pglite: Awaited<ReturnType<typeof openPglite>>;
beforeAll(async () => {
  pglite = await openPglite();
});
afterAll(() => pglite.close());

const files = Array.from({ length: 12 }, (_, number) => ({
  path: `${number}.md`,
  text: `# Page ${number}\n\nword${number} is here\n`,
}));
const at = (url: string, name: string, exactPassages?: number) =>
  openPostgres({ url, name, password: 'none', passwordEnv: 'PGPASSWORD', connections: 1 }, exactPassages);
const options = { now: Date.now };

/** Publishes through a connection that is cut once, when the client sends a text that `mayCut` accepts. */
async function publishCut(name: string, mayCut: (sent: string) => boolean) {
  let cuts = 0;
  const proxy = await openCuttingProxy(pglite.url, (sent) => cuts === 0 && mayCut(sent) && ++cuts > 0);
  const engine = await at(proxy.url, name);
  try {
    const report = await publish(engine, memorySource(files), options);
    const state = (await engine.state())!;
    const reader = engine.reader(state);
    const counts = await reader.counts([
      { kind: 'document', all: [], none: [] },
      { kind: 'passage', all: [], none: [] },
    ]);
    return { cuts, report, counts };
  } finally {
    await engine.close();
    proxy.close();
  }
}

test('documents whose COMMIT had no answer are written once', async () => {
  let isWritten = false;
  const found = await publishCut('commit', (sent) => {
    isWritten ||= sent.includes('INSERT INTO docfuse.words_');
    return isWritten && sent.includes('COMMIT');
  });
  expect(found).toMatchObject({ cuts: 1, report: { sent: 12 }, counts: [12, 12] });
}, 60_000);

test('a connection that is cut in the middle of a batch loses nothing', async () => {
  const found = await publishCut('batch', (sent) => sent.includes('INSERT INTO docfuse.words_'));
  expect(found).toMatchObject({ cuts: 1, report: { sent: 12 }, counts: [12, 12] });
}, 60_000);

test('a search whose connection is cut asks again', async () => {
  await publish(await at(pglite.url, 'search'), memorySource(files), options);
  let cuts = 0;
  const proxy = await openCuttingProxy(
    pglite.url,
    (sent) => cuts === 0 && sent.includes('AS search') && ++cuts > 0,
  );
  const engine = await at(proxy.url, 'search');
  const retrieval = await openRetrieval(engine);
  const request = { query: parseQuery('word7'), filters: {}, lanes: ['keyword'] as const, depth: 5 };
  const { documents } = await retrieval.retrieve(request);
  expect((await retrieval.documents(documents)).map((document) => document?.path)).toEqual(['7.md']);
  expect(cuts).toBe(1);
  await engine.close();
  proxy.close();
}, 60_000);

test('a role without CREATE is told which rights it needs, and leaves nothing behind', async () => {
  const before = await at(pglite.url, 'others');
  await publish(before, memorySource(files), options);
  const tables = async () =>
    (await pglite.db.query("SELECT relname FROM pg_class WHERE relname LIKE 'documents%' ORDER BY 1")).rows;
  const known = await tables();
  await pglite.db.exec(`CREATE ROLE publisher; GRANT USAGE ON SCHEMA docfuse TO publisher;
    GRANT ALL ON ALL TABLES IN SCHEMA docfuse TO publisher; SET ROLE publisher`);
  const engine = await at(pglite.url, 'rights');
  const refused = await publish(engine, memorySource(files), options).catch((error) => error);
  await pglite.db.exec('RESET ROLE');
  expect(refused).toMatchObject({
    code: 'remote',
    message: expect.stringContaining('permission denied for schema docfuse'),
    remedy: expect.stringContaining('CREATE'),
  });
  expect(await tables()).toEqual(known);
  // Its lease has ended: a role with the rights need not wait.
  await expect(
    publish(engine, { ...memorySource(files), publisher: 'there' }, options),
  ).resolves.toMatchObject({ sent: 12 });
  await Promise.all([before.close(), engine.close()]);
}, 60_000);

test('vectors of another length are refused before anything is changed', async () => {
  const engine = await at(pglite.url, 'lengths');
  const { edition } = await publish(engine, memorySource(files), options);
  const state = await engine.state();
  const writer = await engine.writer(edition, 16);
  const source = memorySource(files);
  const parts = documentParts(source.read(0)!, 'digest', source.statistics);
  const passages = parts.passages.map((passage) => ({ ...passage, vector: new Float32Array(8) }));
  await expect(writer.write([{ ...parts, passages }], new Map())).rejects.toMatchObject({
    code: 'remote',
    message: expect.stringContaining('expected 16 dimensions, not 8'),
  });
  expect(await engine.state()).toEqual(state);
  expect((await writer.digests()).get(0)).not.toBe('digest');
  await engine.close();
}, 60_000);

test('the vector graph finds what comparing all vectors finds, also under a filter', async () => {
  const exact = await at(pglite.url, 'graph');
  await publish(exact, memorySource(files), options);
  const graph = await at(pglite.url, 'graph', 5);
  await publish(graph, { ...memorySource(files), identity: 'graph' }, options);
  const state = (await graph.state())!;
  const { rows } = await pglite.db.query("SELECT indexdef FROM pg_indexes WHERE indexdef LIKE '%hnsw%'");
  expect(rows).toHaveLength(1);
  const vector = (await graph.reader(state).vectors([3])).get(3)!;
  const ask = async (engine: typeof exact, ids?: readonly number[]) => {
    const where = { kind: 'passage' as const, all: ids ? [{ ids }] : [], none: [] };
    const reader = engine.reader(state);
    const { found } = await reader.search([{ where, limit: 5, by: { vector } }]);
    return found[0]!.map(({ id, score }) => [id, score.toFixed(5)]);
  };
  expect(graph.reader(state).exactVectors).toBe(false);
  for (const ids of [undefined, [1, 4, 9]]) expect(await ask(graph, ids)).toEqual(await ask(exact, ids));
  await Promise.all([exact.close(), graph.close()]);
}, 60_000);

test('an old pgvector is refused', async () => {
  await pglite.db.exec("UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'");
  const engine = await at(pglite.url, 'old');
  await expect(publish(engine, memorySource(files), options)).rejects.toMatchObject({
    message: expect.stringContaining('pgvector 0.7.4'),
    remedy: expect.stringContaining('0.8'),
  });
  await engine.close();
}, 60_000);
