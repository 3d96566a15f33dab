/** The words nearest to a query, past those it says itself. */
import { expect, it } from 'vitest';
import { packVector } from '../../../src/core/indexes/packed-vector.ts';
import { createVocabularyIndex } from '../../../src/core/indexes/vocabulary.ts';

/** Words at growing angles from the query at angle 0. */
function vocabularyOf(words: readonly string[]) {
  const vocabulary = createVocabularyIndex(2);
  for (const [index, word] of words.entries()) {
    vocabulary.add(word, packVector(Float32Array.of(Math.cos(index / 20), Math.sin(index / 20))));
  }
  return vocabulary;
}

const QUERY = Float32Array.of(1, 0);

it('finds as many as there are, however many compounds of the query lie nearer', async () => {
  const said = ['red', 'green', 'red-green', 'green-red', 'red-red', 'green-green', 'red-green-red'];
  const vocabulary = vocabularyOf([...said, 'moss', 'rust', 'sand']);
  const found = await vocabulary.nearest(QUERY, 3, 0, new Set(['red', 'green']));
  expect(found.map(({ word }) => word)).toEqual(['moss', 'rust', 'sand']);
  expect(vocabulary.words).toBe(10);
});

it('stops at the least similarity and at the end of the vocabulary', async () => {
  const vocabulary = vocabularyOf(['a1', 'b1', 'c1', 'd1']);
  const words = async (minimum: number, count = 9) =>
    (await vocabulary.nearest(QUERY, count, minimum, new Set())).map(({ word }) => word);
  expect(await words(Math.cos(1.5 / 20))).toEqual(['a1', 'b1']);
  expect(await words(0)).toHaveLength(4);
  expect(await words(0, 2)).toEqual(['a1', 'b1']);
  expect(await vocabularyOf([]).nearest(QUERY, 3, 0, new Set())).toEqual([]);
});
