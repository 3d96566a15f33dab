import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapInterval, randomisationTest } from '../../../src/core/evaluate/compare.ts';
import { percentile } from '../../../src/core/evaluate/statistics.ts';

describe('randomisationTest', () => {
  it('comes near the exact p-value of all sign assignments', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 10 }),
        (differences) => {
          expect(Math.abs(randomisationTest(differences) - exactPValue(differences))).toBeLessThan(0.025);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is 1 without differences and without queries', () => {
    expect(randomisationTest([0, 0, 0])).toBe(1);
    expect(randomisationTest([])).toBe(1);
  });

  it('is small but never 0 for a difference in every query', () => {
    expect(randomisationTest(Array.from({ length: 50 }, () => 0.1))).toBeCloseTo(1 / 10_001, 9);
  });

  it('does not see a direction: swapping the rankings gives about the same value', () => {
    const differences = [0.4, -0.1, 0.3, 0.2, -0.2, 0.5, 0.1, 0.05];
    const swapped = randomisationTest(differences.map((difference) => -difference));
    expect(Math.abs(randomisationTest(differences) - swapped)).toBeLessThan(0.02);
  });

  it('is the same in another unit: sums that differ by rounding alone count as equal', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 10 }),
        (differences) => {
          const tenths = differences.map((difference) => difference / 10);
          expect(randomisationTest(tenths)).toBe(randomisationTest(differences));
        },
      ),
    );
  });

  it('is the same every time', () => {
    const differences = [0.4, -0.1, 0.3, 0.2, -0.2];
    expect(randomisationTest(differences)).toBe(randomisationTest(differences));
  });
});

describe('bootstrapInterval', () => {
  const values = Array.from({ length: 100 }, (_, index) => (index % 10) / 10);

  it('has the width of the normal approximation on many values', () => {
    // Standard error of the mean: 0.2872 / 10; ±1.96 of it around 0.45.
    const [low, high] = bootstrapInterval(values);
    expect(low).toBeCloseTo(0.45 - 1.96 * 0.02872, 2);
    expect(high).toBeCloseTo(0.45 + 1.96 * 0.02872, 2);
  });

  it('stays within the values, and is a point when all are equal', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
        (some) => {
          const [low, high] = bootstrapInterval(some);
          expect(low).toBeGreaterThanOrEqual(Math.min(...some) - 1e-12);
          expect(high).toBeLessThanOrEqual(Math.max(...some) + 1e-12);
        },
      ),
      { numRuns: 30 },
    );
    expect(bootstrapInterval([0.5, 0.5, 0.5])).toEqual([0.5, 0.5]);
    expect(bootstrapInterval([])).toEqual([0, 0]);
  });
});

describe('percentile', () => {
  it.each([
    [0, 10],
    [0.25, 10],
    [0.26, 20],
    [0.5, 20],
    [0.75, 30],
    [0.95, 100],
    [1, 100],
  ])('share %d of 10, 20, 30, 100 is %d', (share, expected) => {
    expect(percentile([100, 20, 10, 30], share)).toBe(expected);
  });

  it('is no number without values', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

/** Share of all 2ⁿ sign assignments whose sum is at least as far from 0 as the one seen. */
function exactPValue(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  let asFar = 0;
  for (let signs = 0; signs < 2 ** differences.length; signs++) {
    const sum = differences.reduce(
      (total, difference, bit) => total + (signs & (1 << bit) ? -difference : difference),
      0,
    );
    if (Math.abs(sum) >= observed) asFar++;
  }
  return asFar / 2 ** differences.length;
}
