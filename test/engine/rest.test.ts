/** What search needs in memory is given up while many passages are embedded, and is there again when somebody asks. */
import { mkdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { loadAnalyzers } from '../../src/adapters/languages/load-analyzers.ts';
import type { Store } from '../../src/core/storage.ts';
import type { SettingsOverride, SyncOptions } from '../../src/engine/api.ts';
import { locateIndex } from '../../src/engine/config/locate-index.ts';
import { composeWorkspace, placeOfIndex } from '../../src/engine/open.ts';
import { sync } from '../../src/engine/sync/sync.ts';
import { createSerialQueue } from '../../src/engine/tasks.ts';
import type { Workspace } from '../../src/engine/workspace/workspace.ts';
import { startService } from '../adapters/openai/service.ts';
import { createVault, type Vault } from './vault.ts';

const NOTES = { 'bread.md': '# Bread\n\nYeast rises.\n', 'tides.md': '# Tides\n\nThe moon pulls.\n' };

async function openWorkspace(
  { folder, indexPath }: Vault,
  settings: SettingsOverride = {},
  wrap = (store: Store) => store,
) {
  const { config } = locateIndex({ roots: [folder], indexPath, settings });
  const analyzers = await loadAnalyzers(config.collections);
  mkdirSync(indexPath, { recursive: true });
  const store = wrap(placeOfIndex(indexPath).open());
  const workspace = composeWorkspace(store, { ...config, analyzers, cwd: folder });
  onTestFinished(() => workspace.close());
  return workspace;
}

const bringUpToDate = (workspace: Workspace, options: SyncOptions) =>
  sync(workspace, options, { reading: createSerialQueue(), embedding: createSerialQueue() });

async function wordsOf(workspace: Workspace, ...words: string[]): Promise<number[]> {
  const { services } = await workspace.services('keyword');
  return words.map((word) => services.retrieval.words!.countOf(word));
}

test('changes after a rest are taken in once', async () => {
  const vault = createVault(NOTES);
  const workspace = await openWorkspace(vault);
  await bringUpToDate(workspace, { embed: false });
  const held = workspace.catalog();
  workspace.rest();
  vault.write('bread.md', '# Bread\n\nYeast and salt.\n');
  vault.write('glass.md', '# Glass\n\nSand melts.\n');
  vault.remove('tides.md');
  const changes = { added: 1, changed: 1, removed: 1 };
  expect(await bringUpToDate(workspace, { embed: false })).toMatchObject(changes);
  expect(workspace.catalog()).not.toBe(held);
  expect(await wordsOf(workspace, 'yeast', 'salt', 'sand', 'moon')).toEqual([1, 1, 1, 0]);
  expect([workspace.catalog().documents, workspace.facts(true).chunks]).toEqual([2, 2]);
});

test('what is not saved yet, and what vectors stand beside, stays', async () => {
  const vault = createVault(NOTES);
  const workspace = await openWorkspace(vault);
  await bringUpToDate(workspace, {});
  const held = workspace.catalog();
  workspace.remove([...held.all()].find(({ path }) => path === 'tides.md')!.number);
  workspace.rest();
  expect(workspace.catalog()).toBe(held);
  await workspace.flush();
  await workspace.models.first.semanticIndex();
  workspace.rest();
  expect(workspace.catalog()).toBe(held);
});

test('a process that only reads many files keeps none of their words', async () => {
  const vault = createVault(NOTES);
  const workspace = await openWorkspace(vault);
  await bringUpToDate(workspace, { embed: false });
  const held = workspace.catalog();
  workspace.restIfUnloaded();
  expect(workspace.catalog()).toBe(held);
  for (let n = 0; n < 1_000; n++) vault.write(`${n}.md`, `Moss ${n}.\n`);
  await bringUpToDate(workspace, { embed: false });
  expect(workspace.catalog()).toBe(held);
  workspace.restIfUnloaded();
  expect(workspace.catalog()).not.toBe(held);
  expect(await wordsOf(workspace, 'moss', 'yeast')).toEqual([1_000, 1]);
}, 60_000);

test('words that could not be saved are made again after some were unloaded, as after a kill', async () => {
  let isFull = true;
  const fillDisk = (store: Store): Store => {
    const segments = store.segments!;
    const put: typeof segments.put = (kind, ...given) => {
      if (isFull && kind === 'chunks') throw new Error('The disk is full.');
      return segments.put(kind, ...given);
    };
    return { ...store, segments: { ...segments, put } };
  };
  const vault = createVault(NOTES);
  const workspace = await openWorkspace(vault, {}, fillDisk);
  for (let n = 0; n < 1_000; n++) vault.write(`${n}.md`, `Moss ${n}.\n`);
  await expect(bringUpToDate(workspace, { embed: false })).rejects.toThrow('The disk is full.');
  const held = workspace.catalog();
  workspace.restIfUnloaded();
  expect(workspace.catalog()).not.toBe(held);
  expect(await wordsOf(workspace, 'moss', 'yeast')).toEqual([1_000, 1]);
  isFull = false;
  expect(await bringUpToDate(workspace, { embed: false })).toMatchObject({ added: 0, changed: 0 });
  const reopened = await openWorkspace(vault);
  expect(await wordsOf(reopened, 'moss', 'yeast')).toEqual([1_000, 1]);
  expect(reopened.repaired()).toBe(0);
}, 60_000);

test('many passages are embedded without it, few with it', async () => {
  const vector = Float32Array.of(0.6, 0.8);
  const embedPassages = async (texts: readonly string[]) => texts.map(() => vector);
  const embedder = { model: 'two', dimensions: 2, embedPassages, embedQuery: async () => vector };
  const service = await startService({ embedder: { ...embedder, async close() {} } });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const vault = createVault(NOTES);
  const embedding = { provider: 'openai', model: 'two', base_url: service.url } as const;
  const workspace = await openWorkspace(vault, { embedding });
  const held = workspace.catalog();
  expect((await bringUpToDate(workspace, {})).embedded).toBe(2);
  expect(workspace.catalog()).toBe(held);
  for (let n = 0; n < 1_000; n++) vault.write(`${n}.md`, `Moss ${n}.\n`);
  expect((await bringUpToDate(workspace, {})).embedded).toBe(1_000);
  expect(workspace.catalog()).not.toBe(held);
  expect(await wordsOf(workspace, 'moss', 'yeast')).toEqual([1_000, 1]);
  expect(workspace.facts(true).stale).toBe(false);
}, 60_000);
