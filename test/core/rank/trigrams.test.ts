import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../../src/core/evaluate/statistics.ts';
import { mayBeSimilar, trigramSet, trigramSimilarity } from '../../../src/core/rank/trigrams.ts';

const alike = (a: string, b: string) => trigramSimilarity(trigramSet(a), trigramSet(b));
const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'Ünï', '漢字', '👩‍👧'), {
  maxLength: 40,
});
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  words.map((list) => list.join(' ')),
);

/** As one would write it without a thought for speed. */
function naive(a: string, b: string): number {
  const [setA, setB] = [a, b].map((each) => {
    const lower = each.toLowerCase();
    return new Set(Array.from({ length: Math.max(0, lower.length - 2) }, (_, at) => lower.slice(at, at + 3)));
  }) as [Set<string>, Set<string>];
  const either = setA.union(setB).size;
  return either === 0 ? 0 : setA.intersection(setB).size / either;
}

test('trigrams of "hello world" are the nine of the specification', () => {
  expect(trigramSet('hello world').hashes).toHaveLength(9);
  for (const trigram of ['hel', 'ell', 'llo', 'lo ', 'o w', ' wo', 'wor', 'orl', 'rld']) {
    expect(alike('Hello World', trigram)).toBeCloseTo(1 / 9, 12);
  }
});

test('a repeated trigram counts once, and a text without any is like nothing', () => {
  expect(trigramSet('aaaaaa').hashes).toHaveLength(1);
  expect(alike('ab', 'ab')).toBe(0);
  expect(alike('', 'hello')).toBe(0);
});

test('the similarity is that of the sets of strings, symmetric, in 0–1, and 1 with itself', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(alike(a, b)).toBe(naive(a, b));
      expect(alike(a, b)).toBe(alike(b, a));
      expect(alike(a, b)).toBeLessThanOrEqual(1);
      expect(alike(a, a)).toBe(a.toLowerCase().length > 2 ? 1 : 0);
    }),
  );
});

test('the quick look never turns away texts that are similar enough', () => {
  fc.assert(
    fc.property(words, words, fc.double({ min: 0.05, max: 1, noNaN: true }), (a, b, threshold) => {
      const [setA, setB] = [trigramSet(a.join(' ')), trigramSet(b.join(' '))];
      if (trigramSimilarity(setA, setB) >= threshold)
        expect(mayBeSimilar(setA.sketch, setB.sketch, threshold)).toBe(true);
    }),
  );
});

test('the quick look lets texts pass that are exactly as alike as the threshold', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const [setA, setB] = [trigramSet(a.join(' ')), trigramSet(b.join(' '))];
      expect(mayBeSimilar(setA.sketch, setB.sketch, trigramSimilarity(setA, setB))).toBe(true);
    }),
  );
});

test('the quick look turns away ordinary texts that have little in common', () => {
  const first =
    'The monthly rehearsal restores a snapshot beside the live database and compares row counts. ';
  const second =
    'Apples and pears keep for weeks in a cool cellar, away from onions, light and warm air vents. ';
  const [a, b] = [trigramSet(first.repeat(9)), trigramSet(second.repeat(9))];
  expect(mayBeSimilar(a.sketch, b.sketch, 0.7)).toBe(false);
});

test('the quick look turns away texts that fill half of the sketch each', () => {
  const random = randomNumbers(1);
  const letters = () => String.fromCharCode(...Array.from({ length: 3_000 }, () => 97 + 26 * random()));
  const [a, b] = [trigramSet(letters()), trigramSet(letters())];
  expect(mayBeSimilar(a.sketch, b.sketch, 0.8)).toBe(false);
});
