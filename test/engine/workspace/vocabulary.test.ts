/** The vocabulary of a collection, embedded by the real model and kept in a real store. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/embedder.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { createDocumentIndex } from '../../../src/core/indexes/documents.ts';
import { createSemanticRetriever } from '../../../src/core/indexes/semantic.ts';
import type { Store } from '../../../src/core/storage.ts';
import type { SemanticIndex } from '../../../src/engine/workspace/semantic-index.ts';
import { createVocabulary } from '../../../src/engine/workspace/vocabulary.ts';
import { DEFAULT_MODEL } from '../../adapters/onnx/models.ts';

describe('createVocabulary', async () => {
  const real = await createOnnxEmbedder({ folder: DEFAULT_MODEL, workers: 1 });
  const { dimensions, model } = real;
  const asked: string[] = [];
  const embedder: SemanticIndex['embedder'] = {
    ...real,
    embedPassages(texts, signal) {
      asked.push(...texts);
      return real.embedPassages(texts, signal);
    },
  };
  const semantic = createSemanticRetriever({ dimensions, idOf: String });
  const meaning: SemanticIndex = { embedder, semantic, vectorsOf: () => [] };
  let store: Required<Store>;
  beforeEach(() => {
    store = openSqliteStore(':memory:');
    asked.length = 0;
  });
  afterAll(async () => {
    await real.close();
  });

  function indexOf(texts: Readonly<Record<number, string>>) {
    const index = createDocumentIndex();
    index.add(Object.entries(texts).map(([number, text]) => ({ number: Number(number), names: [], text })));
    return index;
  }

  it('embeds the words of the collection once and finds the nearest to a query', async () => {
    const vocabulary = createVocabulary(store, store.vocabulary);
    const index = indexOf({ 1: 'wing wings airfoil drag cooking recipe of the' });
    await vocabulary.update(meaning.embedder, index.segments());
    expect([...asked].sort()).toEqual(['airfoil', 'cooking', 'drag', 'recipe', 'wing']);
    const query = await real.embedQuery('wing');
    const [nearest] = await vocabulary.index(meaning).nearest(query, 3, 0.5, new Set(['wing']));
    expect(nearest?.word).toBe('airfoil');
    await vocabulary.update(meaning.embedder, index.segments());
    await createVocabulary(store, store.vocabulary).update(meaning.embedder, index.segments());
    expect(asked).toHaveLength(5);
  });

  it('embeds only what is new, drops what fell out, and shows both at once', async () => {
    const vocabulary = createVocabulary(store, store.vocabulary);
    await vocabulary.update(meaning.embedder, indexOf({ 1: 'wing drag' }).segments());
    vocabulary.index(meaning);
    asked.length = 0;
    await vocabulary.update(meaning.embedder, indexOf({ 2: 'drag recipe' }).segments());
    expect(asked).toEqual(['recipe']);
    expect(store.vocabulary.words(model)).toEqual(new Set(['drag', 'recipe']));
    const query = await real.embedQuery('cooking');
    const words = await vocabulary.index(meaning).nearest(query, 9, 0, new Set());
    expect(words.map(({ word }) => word)).toEqual(['recipe', 'drag']);
  });

  it('goes on where it was stopped', async () => {
    const vocabulary = createVocabulary(store, store.vocabulary);
    const segments = indexOf({ 1: 'wing drag' }).segments();
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(vocabulary.update(meaning.embedder, segments, stopped)).rejects.toThrow('stopped');
    expect(store.vocabulary.words(model).size).toBe(0);
    await vocabulary.update(meaning.embedder, segments);
    expect(store.vocabulary.words(model).size).toBe(2);
  });
});
