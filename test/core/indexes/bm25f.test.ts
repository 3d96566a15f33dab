import { expect, test } from 'vitest';
import { inverseUnitFrequency, saturate, weighFrequency } from '../../../src/core/indexes/bm25f.ts';

test('the formula, by hand: 3 of 10 units hold the word, twice in a title of 4 words where 5 are usual', () => {
  const idf = inverseUnitFrequency(10, 3);
  expect(idf).toBeCloseTo(Math.log(1 + 7.5 / 3.5), 12);
  const frequency = weighFrequency({ name: 'title', weight: 3, b: 0.75 }, 2, 4, 5);
  expect(frequency).toBeCloseTo(6 / 0.85, 12);
  expect(saturate(frequency, 1.2)).toBeCloseTo(((6 / 0.85) * 2.2) / (6 / 0.85 + 1.2), 12);
});

test('a word in every unit still counts a little, and an unknown average length does no harm', () => {
  expect(inverseUnitFrequency(10, 10)).toBeGreaterThan(0);
  expect(weighFrequency({ name: 'title', weight: 1, b: 0.75 }, 1, 0, 0)).toBe(4);
});
