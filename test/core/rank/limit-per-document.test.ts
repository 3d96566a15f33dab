import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitPerDocument } from '../../../src/core/rank/variety.ts';

const limited = (documents: readonly number[], limit: number) =>
  limitPerDocument(
    documents.map((document) => ({ document })),
    limit,
  ).map(({ document }) => document);

test('keeps the first of each document, in order', () => {
  expect(limited([1, 2, 1, 1, 2, 3], 2)).toEqual([1, 2, 1, 2, 3]);
});

test('0 is no limit', () => {
  expect(limited([1, 1, 1], 0)).toEqual([1, 1, 1]);
});

test('no document occurs more often than allowed and none is lost altogether', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5)), fc.integer({ min: 1, max: 4 }), (documents, limit) => {
      const kept = limited(documents, limit);
      for (const document of new Set(documents)) {
        const before = documents.filter((other) => other === document).length;
        expect(kept.filter((other) => other === document)).toHaveLength(Math.min(before, limit));
      }
    }),
  );
});
