import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createDictionary,
  findWord,
  prefixRange,
  wordAt,
  wordCount,
} from '../../../src/core/indexes/dictionary.ts';
import { compareText } from '../../../src/core/text/compare-text.ts';

const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '𝒜', '東'), maxLength: 4 }));

describe('a dictionary', () => {
  test('gives back its words in order', () => {
    fc.assert(
      fc.property(words, (given) => {
        const sorted = given.sort(compareText);
        const dictionary = createDictionary(sorted);
        expect(Array.from({ length: wordCount(dictionary) }, (_, i) => wordAt(dictionary, i))).toEqual(
          sorted,
        );
      }),
    );
  });

  test('finds the first of equal words, and the words behind a prefix, as a plain search does', () => {
    fc.assert(
      fc.property(
        words,
        fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 2 }),
        (given, wanted) => {
          const sorted = given.sort(compareText);
          const dictionary = createDictionary(sorted);
          expect(findWord(dictionary, wanted)).toBe(sorted.indexOf(wanted));
          expect(sorted.slice(...prefixRange(dictionary, wanted))).toEqual(
            sorted.filter((word) => word.startsWith(wanted)),
          );
        },
      ),
    );
  });
});
