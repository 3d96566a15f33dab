/** A search reads only the words that it needs. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { loadAnalyzers } from '../../../src/adapters/languages/load-analyzers.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { locateIndex } from '../../../src/engine/config/locate-index.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { readLaneFeatures } from '../../../src/engine/evaluate/tune.ts';
import { composeWorkspace, placeOfIndex } from '../../../src/engine/open.ts';
import { search } from '../../../src/engine/search/search.ts';
import { sync } from '../../../src/engine/sync/sync.ts';
import { createSerialQueue } from '../../../src/engine/tasks.ts';
import { loadIndexes } from '../../../src/engine/workspace/loaded-indexes.ts';
import { SMALL_MODEL } from '../../support/small-model.ts';
import { createVault, type Vault } from '../vault.ts';

const ABOUT = Array.from({ length: 400 }, (_, n) => [
  `${n}.md`,
  `# Note ${n}\n\n${Array.from({ length: 90 }, (_, at) => `entry${(n * 37 + at * 101) % 4000}`).join(' ')} bell${n}\n`,
]);

async function indexed() {
  const vault = createVault(Object.fromEntries(ABOUT));
  const index = await vault.open();
  await index.sync({ embed: false });
  await index.close();
  return vault;
}

/** Changes every piece of the words of passages, as another process or a damaged disk would. */
function spoil(indexPath: string): void {
  const database = new DatabaseSync(join(indexPath, 'index.sqlite'));
  const { changes } = database
    .prepare(
      "UPDATE pieces SET bytes = zeroblob(length(bytes)) WHERE segment IN (SELECT id FROM segments WHERE kind = 'chunks')",
    )
    .run();
  expect(changes).toBeGreaterThan(5);
  database.close();
}

test.each([0, 1])('answers though its words were replaced after %d searches', async (searches) => {
  const vault = await indexed();
  const ask = async (spoiledAfter: number) => {
    await using index = await vault.open();
    await index.list({}); // opens the index, and reads none of its words
    const hits = [];
    for (const [at, words] of ['bell7 entry259', 'bell380', 'bell7'].entries()) {
      if (at === spoiledAfter) spoil(vault.indexPath);
      const found = await index.search(words, { mode: 'keyword' });
      hits.push(found.hits.map(({ path, score }) => [path, score]));
    }
    return hits;
  };
  const sound = await ask(Number.POSITIVE_INFINITY);
  expect(sound.map(([best]) => best![0])).toEqual(['7.md', '380.md', '7.md']);
  expect(await ask(searches)).toEqual(sound);
});

test('tuning asks one state of the index, though words are replaced meanwhile', async () => {
  const vault = await indexed();
  const given = { roots: [vault.folder], settings: { embedding: { model: SMALL_MODEL } } };
  const featuresOf = (onQuery: (done: number) => void) =>
    readLaneFeatures(['bell7 entry259', 'bell380'], { indexPath: vault.indexPath, open: given, onQuery });
  const sound = await featuresOf(() => {});
  let asked = 0;
  const spoilOnce = () => asked++ === 0 && spoil(vault.indexPath);
  expect(JSON.stringify(await featuresOf(spoilOnce))).toEqual(JSON.stringify(sound));
  expect(asked).toBe(2);
});

async function openWorkspace(vault: Vault) {
  const { config } = locateIndex({ roots: [vault.folder], indexPath: vault.indexPath });
  const analyzers = await loadAnalyzers(config.collections);
  const store = placeOfIndex(vault.indexPath).open();
  const workspace = composeWorkspace(store, { ...config, analyzers, cwd: vault.folder });
  onTestFinished(() => workspace.close());
  return { workspace, store, settings: toSearchSettings(config.settings) };
}

test('answers though words are replaced again each time they are loaded', async () => {
  const vault = await indexed();
  const { workspace, settings } = await openWorkspace(vault);
  await using other = await vault.open();
  let loads = 0;
  const restless: typeof workspace = {
    ...workspace,
    async services(...given) {
      const services = await workspace.services(...given);
      if (loads++ >= 3) return services;
      vault.write(`${loads}.md`, '# Note\n\nA windlass.\n');
      await other.sync({ embed: false });
      return services;
    },
  };
  const { hits } = await search(restless, settings, 'bell7', { mode: 'keyword' });
  expect([hits[0]?.path, loads]).toEqual(['7.md', 4]);
});

test('documents that are put while a search meets damaged words are all there', async () => {
  const vault = await indexed();
  // So many short ones that a batch takes several turns.
  for (let n = 0; n < 2_000; n++) vault.write(`new/${n}.md`, `A windlass${n}.\n`);
  const { workspace, store } = await openWorkspace(vault);
  let [isDone, isSpoiled] = [false, false];
  const services = { reading: createSerialQueue(), embedding: createSerialQueue() };
  const syncing = sync(workspace, { embed: false }, services).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await nextTurn();
    if (isSpoiled || store.counts('').documents === ABOUT.length) continue;
    isSpoiled = true;
    spoil(vault.indexPath);
    workspace.checkWords();
  }
  await syncing;
  expect(isSpoiled).toBe(true);
  expect(workspace.catalog().documents).toBe(store.counts('').documents);
});

test('words that are damaged after a save are made again by the next one, without a search', async () => {
  const vault = await indexed();
  await using index = await vault.open();
  for (let n = 0; n < 3; n++) {
    vault.write(`${n}.md`, `# Note ${n}\n\nA windlass${n}.\n`);
    await index.sync({ embed: false });
    spoil(vault.indexPath);
  }
  vault.write('9.md', '# Note 9\n\nA capstan.\n');
  await index.sync({ embed: false });
  await using again = await vault.open();
  expect((await again.check()).find(({ name }) => name === 'segments')?.state).toBe('ok');
  for (const [word, path] of [
    ['windlass2', '2.md'],
    ['capstan', '9.md'],
    ['bell8', '8.md'],
  ] as const)
    expect((await again.search(word, { mode: 'keyword' })).hits[0]?.path).toBe(path);
});

test('answers from what another process has written between two of its searches', async () => {
  const vault = await indexed();
  await using index = await vault.open();
  const best = async (words: string) => (await index.search(words, { mode: 'keyword' })).hits[0]?.path;
  expect(await best('bell7 entry259')).toBe('7.md');
  for (let n = 0; n < 40; n++) vault.write(`${n}.md`, `# Note ${n}\n\nA windlass${n}.\n`);
  await using other = await vault.open();
  await other.sync({ embed: false });
  expect(await best('windlass7')).toBe('7.md');
  expect(await best('bell380')).toBe('380.md');
  expect(await best('bell7')).toBeUndefined();
});

test('a change of a file makes damaged words again and saves them', async () => {
  const vault = await indexed();
  spoil(vault.indexPath);
  vault.write('7.md', '# Note 7\n\nA windlass.\n');
  await using index = await vault.open();
  await index.sync({ embed: false });
  const pathsWith = async (index: Awaited<ReturnType<typeof vault.open>>, word: string) =>
    (await index.search(word, { mode: 'keyword', minConfidence: 0 })).hits.map(({ path }) => path);
  await using again = await vault.open();
  expect(await pathsWith(again, 'bell8')).toContain('8.md');
  expect(await pathsWith(again, 'windlass')).toEqual(['7.md']);
  expect((await again.check()).find(({ name }) => name === 'segments')?.state).toBe('ok');
});

test('words that are damaged are told from words that another process has replaced', async () => {
  const vault = await indexed();
  const store = openSqliteStore(join(vault.indexPath, 'index.sqlite'));
  onTestFinished(store.close);
  const analyzers = await loadAnalyzers([{ name: 'notes', language: 'auto' }]);
  const [segment] = loadIndexes(store, analyzers, { check: false }).keyword.liveSegments;
  spoil(vault.indexPath);
  const damaged = { code: 'index_damaged', remedy: expect.stringContaining('docfuse index') };
  expect(segment!.check).toThrow(expect.objectContaining(damaged));
  const [saved] = store.segments.read('chunks');
  store.segments.put('chunks', saved!.bytes.slice(4), saved!.id);
  expect(segment!.check).toThrow(expect.objectContaining({ code: 'index_busy' }));
});
