import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizedVariance, varianceFactor } from '../../../src/core/rank/weigh-by-variance.ts';

const RULE = { threshold: 0.1, minFactor: 0.5 };

it.each([
  [0.08, 0.8],
  [0.02, 0.5],
  [0.3, 1],
  [0.2, 1],
  [0.05, 0.5],
])('variance %d gives factor %d', (variance, factor) => {
  expect(varianceFactor(variance, RULE)).toBeCloseTo(factor, 10);
});

describe('variance of normalised scores', () => {
  it('is that of the scores between their own least and greatest', () => {
    expect(normalizedVariance([30, 20, 10])).toBeCloseTo(1 / 6, 10); // 1, 0.5, 0
  });

  it('is 0 for equal scores and unknown for fewer than two', () => {
    expect(normalizedVariance([3, 3, 3])).toBe(0);
    expect(normalizedVariance([3])).toBeUndefined();
    expect(normalizedVariance([])).toBeUndefined();
  });

  it('does not depend on the scale of the scores and never exceeds 0.25', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2 });
    fc.assert(
      fc.property(
        scores,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: -50, max: 50 }),
        (list, by, plus) => {
          const variance = normalizedVariance(list)!;
          expect(normalizedVariance(list.map((score) => score * by + plus))).toBeCloseTo(variance, 8);
          expect(variance).toBeGreaterThanOrEqual(0);
          expect(variance).toBeLessThanOrEqual(0.25 + 1e-12);
        },
      ),
    );
  });
});
