import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitPerDocument } from '../../../src/core/rank/variety.ts';

const identity = (document: number) => document;

test('keeps the first of each document, in order', () => {
  expect(limitPerDocument([1, 2, 1, 1, 2, 3], identity, 2)).toEqual([1, 2, 1, 2, 3]);
});

test('0 is no limit', () => {
  expect(limitPerDocument([1, 1, 1], identity, 0)).toEqual([1, 1, 1]);
});

test('no document occurs more often than allowed and none is lost altogether', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5)), fc.integer({ min: 1, max: 4 }), (documents, limit) => {
      const kept = limitPerDocument(documents, identity, limit);
      for (const document of new Set(documents)) {
        const before = documents.filter((other) => other === document).length;
        expect(kept.filter((other) => other === document)).toHaveLength(Math.min(before, limit));
      }
    }),
  );
});
