/** Searches between the steps of a merge: the merge is held after each step until all questions were answered. */
import { expect, onTestFinished, test } from 'vitest';
import { loadAnalyzers } from '../../../src/adapters/languages/load-analyzers.ts';
import { readBatch } from '../../../src/core/read-batch.ts';
import { locateIndex } from '../../../src/engine/config/locate-index.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { composeWorkspace, placeOfIndex } from '../../../src/engine/open.ts';
import { search } from '../../../src/engine/search/search.ts';
import { createLifecycle } from '../../../src/engine/workspace/lifecycle.ts';
import { createSearcher } from '../../../src/engine/workspace/searcher.ts';
import { fastDigest, vectorKey } from '../../../src/engine/workspace/vector-key.ts';
import { createWriter } from '../../../src/engine/workspace/writer.ts';
import { createVault, type Vault } from '../vault.ts';

const QUESTIONS = ['bell14 harbour', '"stairs of note 17"', 'harb*', 'harbuor', 'note -bell12', 'keel15x9'];

test.each([
  ['stay in memory', false],
  ['are unloaded', true],
])('each step of a merge leaves all answers as they were, while saved words %s', async (_, unload) => {
  const vault = createVault({ 'a.md': '' });
  const { put, remove, indexes, ask } = await open(vault);
  // Nine segments of one size, one of them with removed words.
  const numbers = [];
  for (let note = 10; note < 19; note++) numbers.push(await put(note));
  remove(numbers[3]!);

  const before = await ask();
  expect([0, 1, 5].map((at) => before[at]![0]![0])).toEqual(['14.md', '17.md', '15.md']);
  expect(before.map((hits) => new Set(hits.map(([path]) => path)).size)).toEqual([8, 1, 8, 8, 8, 1]);
  let steps = 0;
  const merge = indexes().flush(true, unload);
  for (; !merge.next().done; steps++) expect(await ask()).toEqual(before);
  expect(steps).toBeGreaterThan(30);
  expect(indexes().keyword.liveSegments).toHaveLength(1);
  expect(await ask()).toEqual(before);
  expect(await (await open(vault)).ask()).toEqual(before);
});

async function open(vault: Vault) {
  const { config } = locateIndex({ roots: [vault.folder], indexPath: vault.indexPath });
  const { settings, collections } = config;
  const analyzers = await loadAnalyzers(collections);
  const store = placeOfIndex(vault.indexPath).open();
  const parts = composeWorkspace(store, { collections, settings, analyzers, cwd: vault.folder });
  const loaded = createLifecycle(parts);
  const writer = createWriter(parts, loaded);
  onTestFinished(() => loaded.close());
  const rules = { analyzers, chunking: parts.chunking, hash: vectorKey, digest: fastDigest };
  // The notes are alike, and each counts here.
  const allHits = { ...toSearchSettings(settings), ngramDedupEnabled: false };
  const file = { size: 1, modified: 1, altered: 1, hash: '' };
  const searchable = Object.assign({ ...parts }, loaded, createSearcher(parts, loaded));
  return {
    indexes: loaded.checkedIndexes,
    async put(note: number) {
      const collection = collections[0]!.name;
      const text = { id: `${collection}/${note}.md`, collection, path: `${note}.md`, text: textOf(note) };
      const { documents, words } = readBatch([text], rules);
      await writer.put([{ document: { ...documents[0]!, ...file }, replaced: undefined }], words);
      return loaded.catalog().numberOf(text.id)!;
    },
    remove: writer.remove,
    async ask() {
      const answers = [];
      for (const question of QUESTIONS) {
        const options = { mode: 'keyword', topN: 20, minConfidence: 0 } as const;
        const { hits } = await search(searchable, allHits, question, options);
        answers.push(hits.map(({ path, score }) => [path, score] as const));
      }
      return answers;
    },
  };
}

function textOf(note: number): string {
  const rare = Array.from({ length: 2_000 }, (_, n) => `keel${note}x${n}`);
  const said = `${rare.slice(0, 30).join(' ')} the stairs of note ${note} lead to bell${note} at the harbour`;
  return `# Note ${note}\n\n${said}\n\n${rare.slice(30).join(' ')}\n`;
}
