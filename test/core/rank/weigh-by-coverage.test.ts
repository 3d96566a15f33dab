import fc from 'fast-check';
import { expect, it } from 'vitest';
import { coverageFactor } from '../../../src/core/rank/weigh-by-coverage.ts';

it.each([
  // One word's worth of four, two, and three.
  [0.25, 4, 0.5],
  [0.5, 4, 1],
  [0.75, 4, 1],
  // A tenth of twenty words is two of them.
  [0.05, 20, 0.5],
  [0.1, 20, 1],
  // Of two words both are wanted, of one that one.
  [0.5, 2, 0.5],
  [0.4, 1, 0.4],
  [1, 1, 1],
  [0, 3, 0],
])('coverage %d of %d words gives factor %d', (coverage, terms, factor) => {
  expect(coverageFactor(coverage, terms, 2)).toBeCloseTo(factor, 12);
});

it('is 0–1, rises with coverage, and is 1 where everything is covered', () => {
  const coverage = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(coverage, coverage, fc.integer({ min: 1, max: 200 }), (a, b, terms) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)].map((each) => coverageFactor(each, terms, 2));
      expect(less).toBeGreaterThanOrEqual(0);
      expect(less).toBeLessThanOrEqual(more!);
      expect(more).toBeLessThanOrEqual(1);
      expect(coverageFactor(1, terms, 2)).toBe(1);
    }),
  );
});
