import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadAnalyzers } from '../../../src/adapters/languages/load-analyzers.ts';
import { DEFAULT_CHUNKING } from '../../../src/core/chunk/chunk-document.ts';
import { locateIndex } from '../../../src/engine/config/locate-index.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { composeWorkspace, placeOfIndex } from '../../../src/engine/open.ts';
import { createReadingThreads, openReader } from '../../../src/engine/readers/open-reader.ts';
import type { ReadingSettings } from '../../../src/engine/readers/read-worker.ts';
import { search } from '../../../src/engine/search/search.ts';
import { readInBatches } from '../../../src/engine/sync/read-ahead.ts';
import { sync } from '../../../src/engine/sync/sync.ts';
import { createSerialQueue } from '../../../src/engine/tasks.ts';
import type { Workspace } from '../../../src/engine/workspace/workspace.ts';
import type { BatchReader } from '../../../src/engine/workspace/workspace-parts.ts';
import { createVault, type Vault } from '../vault.ts';

const SETTINGS: ReadingSettings = {
  collections: [
    { name: 'notes', language: 'auto' },
    { name: 'notizen', language: 'de' },
  ],
  chunking: DEFAULT_CHUNKING,
};
const WORKER = new URL('../../../src/engine/readers/read-worker.ts', import.meta.url).href;
const HERE = openReader({ ...SETTINGS, analyzers: await loadAnalyzers(SETTINGS.collections) }, 0);
/** The real worker, but the word `lethal` ends it. */
const DYING = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.postMessage({ ready: true });
    parentPort.on('message', ({ texts }) => texts.some(({ text }) => text.includes('lethal')) && process.exit(7));
    await import(${JSON.stringify(WORKER)});`)}`,
);

const textOf = (text: string, path = 'a.md', collection = 'notes') => ({
  id: `${collection}/${path}`,
  collection,
  path,
  text,
});

function threads(count: number, signal?: AbortSignal, file?: URL): BatchReader {
  const reader = createReadingThreads(count, SETTINGS, HERE, signal, file);
  onTestFinished(() => reader.close());
  return reader;
}

test('threads read what this one reads, in the language of the collection', async () => {
  const source = '---\ntitle: Über Häuser\nwhen: 2026-01-02\n---\n# Häuser\n\nSee [[b]] and `getUser()`.\n\n';
  const texts = ['a.md', 'b.md', 'c.md'].map((path) =>
    textOf(`${source}${path} ging über die Häuser. `.repeat(40), path, 'notizen'),
  );
  const reader = threads(2);
  const batches = await Promise.all([texts, texts.slice(1), []].map((each) => reader.read(each)));
  expect(batches).toEqual(await Promise.all([texts, texts.slice(1), []].map((each) => HERE.read(each))));
});

test('a thread that ends fails what it had, and the next batch has a new one', async () => {
  const reader = threads(1, undefined, DYING);
  await expect(reader.read([textOf('lethal')])).rejects.toThrow('exit code 7');
  expect((await reader.read([textOf('alive')])).documents).toHaveLength(1);
});

test.each([
  ['is not there', new URL('file:///nowhere/read-worker.js')],
  ['fails before it reads', new URL('data:text/javascript,throw new Error("no room")')],
  ['ends before it reads', new URL('data:text/javascript,process.exit(9)')],
  ['cannot be a thread', new URL('https://localhost/worker.js')],
])('a worker that %s: files are read in this thread, with one warning', async (_, file) => {
  const vault = createVault({ 'a.md': 'first', 'b.md': 'second', 'c.md': 'third' });
  const workspace = await openWorkspace(vault);
  const openReader = (_: number, signal?: AbortSignal) => threads(2, signal, file);
  const { added, skipped, warnings } = await sync({ ...workspace, openReader }, { embed: false }, turns());
  expect({ added, skipped, warnings }).toEqual({
    ...{ added: 3, skipped: [] },
    warnings: [{ path: '', message: expect.stringMatching(/^A reading thread could not start \(.+\)/) }],
  });
});

test('batches for this thread stay small, those for threads grow', async () => {
  async function* texts() {
    for (let n = 0; n < 8; n++) yield textOf('word '.repeat(20_000), `${n}.md`);
  }
  const sizesWith = async (width: number) => {
    const sizes: number[] = [];
    for await (const [batch] of readInBatches(texts(), { ...HERE, width })) sizes.push(batch.length);
    return sizes;
  };
  expect(await sizesWith(1)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  expect(await sizesWith(4)).toEqual([1, 2, 4, 1]);
});

test('where a second thread cannot start, the first one and this one read', async () => {
  // Both threads start at once, and only one can make the folder.
  const folder = join(createVault({ 'a.md': '' }).folder, 'first');
  const single = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { mkdirSync } from 'node:fs';
      try { mkdirSync(${JSON.stringify(folder)}); } catch { throw new Error('one is enough'); }
      await import(${JSON.stringify(WORKER)});`)}`,
  );
  const reader = threads(2, undefined, single);
  const batches = ['one', 'two', 'three', 'four'].map((text) => reader.read([textOf(text)]));
  for (const { documents } of await Promise.all(batches)) expect(documents).toHaveLength(1);
  expect(reader.problem?.()).toContain('one is enough');
  expect((await reader.read([textOf('five')])).documents).toHaveLength(1);
});

test('stopping fails what is being read with the reason of the signal', async () => {
  const controller = new AbortController();
  const reader = threads(1, controller.signal);
  const reading = reader.read([textOf('word '.repeat(200_000))]);
  controller.abort(new Error('stopped'));
  await expect(reading).rejects.toThrow('stopped');
  expect(() => reader.read([])).toThrow('stopped');
});

test('closing fails what is being read', async () => {
  const reader = threads(1);
  const reading = expect(reader.read([textOf('word '.repeat(200_000))])).rejects.toThrow('ended');
  await reader.close();
  await reading;
});

test('a file that ends its thread is read again, once, then named; the others of its batch are there', async () => {
  const vault = createVault({ 'a.md': 'first', 'b.md': 'lethal', 'c.md': 'third' });
  const workspace = await openWorkspace(vault);
  const openReader = (_: number, signal?: AbortSignal) => threads(2, signal, DYING);
  const { added, skipped } = await sync({ ...workspace, openReader }, { embed: false }, turns());
  expect(added).toBe(2);
  expect(skipped).toEqual([
    { path: 'notes/b.md', reason: 'unreadable', detail: expect.stringContaining('exit code 7') },
  ]);
  expect(await sync(workspace, { embed: false }, turns())).toMatchObject({
    added: 1,
    unchanged: 2,
    skipped: [],
  });
});

test('an index made in threads answers as one made in this thread, also after changes', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `${n}.md`,
      `# Note ${n}\n\n${`Word${n % 7} in note ${n}. `.repeat(200 + n)}`,
    ]),
  );
  const [one, two] = [createVault(files), createVault(files)];
  const [here, there] = [await openWorkspace(one), await openWorkspace(two)];
  const inThreads = { ...there, openReader: (_: number, signal?: AbortSignal) => threads(2, signal) };
  for (const change of ['', 'changed']) {
    for (const vault of change ? [one, two] : []) {
      vault.write('7.md', '# Changed\n\nAnother text.');
      vault.remove('8.md');
    }
    const { milliseconds: _, ...report } = await sync(here, { embed: false }, turns());
    expect(await sync(inThreads, { embed: false }, turns())).toMatchObject(report);
    for (const query of ['word3', '"note 12"', 'another text', 'note 8'])
      expect((await ask(there, query)).map(({ path, score }) => [path, score])).toEqual(
        (await ask(here, query)).map(({ path, score }) => [path, score]),
      );
  }
});

async function openWorkspace(vault: Vault): Promise<Workspace> {
  const { config } = locateIndex({ roots: [vault.folder], indexPath: vault.indexPath });
  const analyzers = await loadAnalyzers(config.collections);
  const store = placeOfIndex(vault.indexPath).open();
  const workspace = composeWorkspace(store, { ...config, analyzers, cwd: vault.folder });
  onTestFinished(() => workspace.close());
  return workspace;
}

async function ask(workspace: Workspace, query: string) {
  const { config } = locateIndex({
    roots: workspace.collections.map(({ root }) => root),
    indexPath: '/nowhere',
  });
  return (await search(workspace, toSearchSettings(config.settings), query, { mode: 'keyword', topN: 20 }))
    .hits;
}

function turns() {
  return { reading: createSerialQueue(), embedding: createSerialQueue() };
}
