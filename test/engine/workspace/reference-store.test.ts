/** The engine over another store than its own: whatever a store keeps and however, the answers are the same. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { loadAnalyzers } from '../../../src/adapters/languages/load-analyzers.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import type { SearchMode } from '../../../src/core/model/query.ts';
import type { Store } from '../../../src/core/storage.ts';
import { locateIndex } from '../../../src/engine/config/locate-index.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { readDocument } from '../../../src/engine/documents/read-document.ts';
import { relatedDocuments } from '../../../src/engine/documents/related-documents.ts';
import { composeWorkspace } from '../../../src/engine/open.ts';
import { search } from '../../../src/engine/search/search.ts';
import { sync } from '../../../src/engine/sync/sync.ts';
import { createSerialQueue } from '../../../src/engine/tasks.ts';
import type { ReadableWorkspace, Workspace } from '../../../src/engine/workspace/workspace.ts';
import { createReferenceStore } from '../../support/reference-store.ts';
import { createVault } from '../vault.ts';

/** As an index elsewhere would be read: passages come later. */
function later(workspace: Workspace): ReadableWorkspace {
  const { store } = workspace;
  const wait =
    <A extends readonly unknown[], T>(read: (...input: A) => T) =>
    async (...input: A) => {
      await setImmediate();
      return read(...input);
    };
  return {
    ...workspace,
    store: {
      document: store.document,
      chunks: wait(store.chunks),
      chunksOf: wait(store.chunksOf),
    },
  };
}

test('a store of plain maps is indexed, changed, loaded again and searched like the embedded one', async () => {
  const vault = createVault({
    'bread.md': '# Bread\n\nYeast rises in warm dough. See [[tides]].\n\n## Salt\n\nSalt slows it down.\n',
    'tides.md': '# Tides\n\nThe moon pulls the sea. See [[bread]].\n',
    'glass.md': '# Glass\n\nSand melts into glass: `meltSand()`.\n',
  });
  const { config } = locateIndex({ roots: [vault.folder], indexPath: vault.indexPath });
  const analyzers = await loadAnalyzers(config.collections);
  const over = (store: Store) => {
    const workspace = composeWorkspace({ ...store, close() {} }, { ...config, analyzers, cwd: vault.folder });
    onTestFinished(() => workspace.close());
    return workspace;
  };
  const bringUpToDate = async (store: Store) => {
    const { milliseconds: _, ...report } = await sync(over(store), {}, turns());
    return report;
  };
  const turns = () => ({ reading: createSerialQueue(), embedding: createSerialQueue() });
  const answers = async (store: Store, see: (workspace: Workspace) => ReadableWorkspace) => {
    const workspace = over(store); // loads what was kept
    const asked = ['warm dough', 'meltSand', 'moon'].flatMap((query) =>
      (['hybrid', 'keyword', 'semantic', 'code'] satisfies SearchMode[]).map(async (mode) => {
        const { hits, stats } = await search(workspace, toSearchSettings(config.settings), query, { mode });
        return { hits, stats };
      }),
    );
    const seen = see(workspace);
    const [first] = await Promise.all(asked);
    const passage = first?.hits[0]?.chunkId ?? '';
    return [
      await Promise.all(asked),
      await relatedDocuments(seen, 'tides.md', {}, vault.folder),
      await readDocument(seen, 'bread.md', {}, vault.folder),
      await readDocument(seen, passage, {}, vault.folder),
    ];
  };
  const stores = [openSqliteStore(':memory:'), createReferenceStore()] as const;
  onTestFinished(() => stores[0].close());
  for (const change of [
    () => {},
    () => vault.write('bread.md', '# Bread\n\nYeast, salt and warm dough.\n'),
    () => vault.remove('glass.md'),
  ]) {
    change();
    const [embedded, reference] = [await bringUpToDate(stores[0]), await bringUpToDate(stores[1])];
    expect(reference).toEqual(embedded);
    expect(await answers(stores[1], later)).toEqual(await answers(stores[0], (workspace) => workspace));
  }
}, 60_000);
