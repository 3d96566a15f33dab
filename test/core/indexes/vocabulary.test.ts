/** Which words make the vocabulary of a collection, and which of them are near a query. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDocumentIndex } from '../../../src/core/indexes/documents.ts';
import { packVector } from '../../../src/core/indexes/packed-vector.ts';
import {
  collectVocabulary,
  createVocabularyIndex,
  type VocabularyIndex,
} from '../../../src/core/indexes/vocabulary.ts';

function segmentsOf(...texts: readonly string[]) {
  const index = createDocumentIndex();
  for (const [number, text] of texts.entries()) index.add([{ number, names: [], text }]);
  return index.segments();
}

describe('collectVocabulary', () => {
  it('orders stems by frequency and spells each as it is most often written', () => {
    const segments = segmentsOf('wings wing wings flow', 'Flow flows', 'flow wings flow');
    expect(collectVocabulary(segments)).toEqual(['flow', 'wings']);
  });

  it('leaves out stop words, short words, numbers and names with signs', () => {
    const text = 'the ab 42 3com std::vector C++ naïve_bayes user-id x1y Über 漢字';
    expect(collectVocabulary(segmentsOf(text))).toEqual(
      expect.arrayContaining(['naive_bayes', 'user-id', 'x1y', 'uber', 'vector', 'std']),
    );
    for (const word of ['the', 'ab', '42', '3com', 'std::vector', 'c++', '漢字']) {
      expect(collectVocabulary(segmentsOf(text))).not.toContain(word);
    }
  });

  it('keeps the most frequent when there are more than it may hold', () => {
    const segments = segmentsOf('cat cat cat dog dog bird');
    expect(collectVocabulary(segments, 2)).toEqual(['cat', 'dog']);
    expect(collectVocabulary(segments, 0)).toEqual([]);
    expect(collectVocabulary([])).toEqual([]);
  });

  it('does not depend on how texts are spread over segments', () => {
    const words = fc.array(fc.constantFrom('cats', 'cat', 'dog', 'Bird', 'flies', 'fly'), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(words, { maxLength: 5 }), (texts) => {
        const spread = collectVocabulary(segmentsOf(...texts.map((text) => text.join(' '))));
        expect(collectVocabulary(segmentsOf(texts.flat().join(' ')))).toEqual(spread);
      }),
    );
  });
});

describe('createVocabularyIndex', () => {
  const QUERY = Float32Array.of(1, 0);
  const at = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine));

  function vocabularyOf(words: Readonly<Record<string, number>>): VocabularyIndex {
    const vocabulary = createVocabularyIndex(2);
    for (const [word, cosine] of Object.entries(words)) vocabulary.add(word, packVector(at(cosine)));
    return vocabulary;
  }

  async function nearest(vocabulary: VocabularyIndex, count: number, minimum: number, ...terms: string[]) {
    return (await vocabulary.nearest(QUERY, count, minimum, new Set(terms))).map(({ word }) => word);
  }

  it('gives the nearest first, none below the threshold', async () => {
    const vocabulary = vocabularyOf({ far: 0.1, near: 0.9, middle: 0.7, nearer: 0.95 });
    expect(await nearest(vocabulary, 3, 0.6)).toEqual(['nearer', 'near', 'middle']);
    expect(await nearest(vocabulary, 3, 0.8)).toEqual(['nearer', 'near']);
    expect(await nearest(vocabulary, 1, 0)).toEqual(['nearer']);
    expect(await nearest(vocabulary, 0, 0)).toEqual([]);
    const [best] = await vocabulary.nearest(QUERY, 1, 0, new Set());
    expect(best?.similarity).toBeCloseTo(0.95, 1);
  });

  it('passes over words whose stem the query has, and still fills the number asked for', async () => {
    const vocabulary = vocabularyOf({ wings: 0.95, 'wing-tip': 0.94, flutter: 0.9, flow: 0.8, far: 0.1 });
    expect(await nearest(vocabulary, 2, 0.5, 'wing')).toEqual(['wing-tip', 'flutter']);
    expect(await nearest(vocabulary, 2, 0.5, 'wing', 'tip')).toEqual(['flutter', 'flow']);
  });

  it('has nothing to say without words', async () => {
    expect(await nearest(vocabularyOf({}), 3, 0)).toEqual([]);
  });
});
