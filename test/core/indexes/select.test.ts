import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestRows, medianScore } from '../../../src/core/indexes/select.ts';

/** Ties, neighbours in one bin or two, values beyond all bins, and rows that are masked. */
const score = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.float({ min: -1, max: 1, noNaN: true }),
  fc.integer({ min: 0, max: 12 }).map((step) => 0.5 + step / 4096 / 3),
  fc.constantFrom(Number.NEGATIVE_INFINITY, -2e6, 2e6, Number.POSITIVE_INFINITY),
);
const scores = fc.array(score, { maxLength: 60 }).map((list) => Float32Array.from(list));

describe('bestRows', () => {
  test('gives what sorting would give', () => {
    fc.assert(
      fc.property(
        scores,
        fc.nat(70),
        fc.option(fc.uint8Array({ max: 1, maxLength: 60 })),
        (values, k, allowed) => {
          const rows = Array.from(values.keys()).filter(
            (row) => values[row] !== Number.NEGATIVE_INFINITY && (allowed === null || allowed[row] === 1),
          );
          const sorted = rows.sort((a, b) => values[b]! - values[a]! || a - b).slice(0, k);
          expect(Array.from(bestRows(values, k, allowed ?? undefined))).toEqual(sorted);
        },
      ),
    );
  });
});

describe('medianScore', () => {
  test('is the middle of the sorted scores, −Infinity left out', () => {
    fc.assert(
      fc.property(scores, (values) => {
        const sorted = values.filter((score) => score !== Number.NEGATIVE_INFINITY).sort();
        const half = sorted.length / 2;
        const expected =
          sorted.length === 0 ? 0 : (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
        expect(medianScore(values)).toBe(expected);
      }),
    );
  });

  test('is 0 where there is nothing', () => {
    expect(medianScore(new Float32Array(0))).toBe(0);
    expect(medianScore(Float32Array.of(-Infinity))).toBe(0);
  });
});
