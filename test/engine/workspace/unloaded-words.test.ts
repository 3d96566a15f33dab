import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { DEFAULT_CHUNKING } from '../../../src/core/chunk/chunk-document.ts';
import { encodeSegment } from '../../../src/core/indexes/segment-codec.ts';
import { readBatch } from '../../../src/core/read-batch.ts';
import { atOnce } from '../../../src/core/steps.ts';
import type { Store } from '../../../src/core/storage.ts';
import { chooseAnalyzers } from '../../../src/core/text/analyzer.ts';
import { loadIndexes } from '../../../src/engine/workspace/loaded-indexes.ts';
import { fastDigest, vectorKey } from '../../../src/engine/workspace/vector-key.ts';
import { sampleDocument } from '../../adapters/store/sample.ts';

const analyzers = chooseAnalyzers();
const RULES = { analyzers, chunking: DEFAULT_CHUNKING, hash: vectorKey, digest: fastDigest };
const WORDS = ['lantern', 'harbour', 'windlass', 'bell'];

test('saved words leave memory, and are read again once, at their next use', () => {
  const { indexes, reads, saveEach } = openIndexes();
  saveEach(WORDS.slice(0, 2));
  expect(indexes.isUnloaded()).toBe(true);
  expect(reads()).toEqual([]);
  expect(WORDS.map(indexes.keyword.countOf)).toEqual([1, 1, 0, 0]);
  expect(reads()).toEqual(['chunks', 'chunks']);
  indexes.keyword.countOf('lantern');
  expect(reads()).toHaveLength(2);
});

test('words that are not in memory are merged, and those of removed documents are dropped', () => {
  const { indexes, store, reads, saveEach } = openIndexes();
  const [first] = saveEach(WORDS.slice(0, 3));
  store.removeDocument(first!);
  indexes.remove(first!, undefined);
  expect(reads()).toEqual([]); // removing a document reads no words
  saveEach(WORDS.slice(3));
  expect(WORDS.map(indexes.keyword.countOf)).toEqual([0, 1, 1, 1]);
  expect([...store.segments!.read('chunks')]).toHaveLength(1);
  const again = loadIndexes(store, analyzers);
  expect([again.repaired, WORDS.map(again.keyword.countOf)]).toEqual([0, [0, 1, 1, 1]]);
});

test('saved words that were loaded leave memory at the next save, and once only', () => {
  const first = openIndexes();
  first.saveEach(WORDS.slice(0, 2));
  const { saveEach, reads, indexes } = openIndexes(first.store);
  saveEach(WORDS.slice(2, 3));
  expect(reads()).toEqual([]);
  const { units } = indexes.keyword.liveSegments[0]!;
  atOnce(indexes.flush(false, true));
  expect(indexes.keyword.liveSegments[0]!.units).toBe(units); // not copied again
  expect(WORDS.map(indexes.keyword.countOf)).toEqual([1, 1, 1, 0]);
  expect(reads()).toEqual(['chunks', 'chunks', 'chunks']);
});

test('words that another process has replaced meanwhile are not taken for the former ones', () => {
  const { indexes, store, saveEach } = openIndexes();
  saveEach(WORDS.slice(0, 1));
  const other = openIndexes();
  other.saveEach(['other', 'words']);
  const id = store.segments!.inUse('chunks')[0]!;
  store.segments!.put('chunks', encodeSegment(other.indexes.keyword.segments()[1]!), id);
  const count = () => indexes.keyword.countOf('lantern');
  expect(count).toThrow(expect.objectContaining({ code: 'index_busy', remedy: 'Repeat the command.' }));
  store.segments!.use('chunks', [], [id]);
  expect(count).toThrow(expect.objectContaining({ code: 'index_busy' }));
});

/** An empty index, the kinds of segments that are read again, and a way to put documents of a word each. */
function openIndexes(store: Store = openSqliteStore(':memory:')) {
  const segments = store.segments!;
  const seen: string[] = [];
  const counting: Store = {
    ...store,
    segments: {
      ...segments,
      get(kind, id) {
        seen.push(kind);
        return segments.get(kind, id);
      },
    },
  };
  const indexes = loadIndexes(counting, analyzers);
  const saveEach = (words: readonly string[]) =>
    words.map((word) => {
      const { number, slots } = store.putDocument(sampleDocument(`${word}.md`, [word]));
      indexes.put(store.document(number)!, slots);
      indexes.addWords(readBatch([textOf(word)], RULES).words, [number], slots);
      atOnce(indexes.flush(false, true));
      return number;
    });
  return { store, indexes, saveEach, reads: () => seen };
}

const textOf = (word: string) => ({
  id: `notes/${word}.md`,
  collection: 'notes',
  path: `${word}.md`,
  text: word,
});
