import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANES, type Lane } from '../../../src/core/model/ranking-constants.ts';
import {
  coverageFactor,
  normalizedVariance,
  scaleWeights,
  varianceFactor,
} from '../../../src/core/rank/fuse.ts';

it.each([
  [0.08, 0.8],
  [0.02, 0.5],
  [0.3, 1],
  [0.2, 1],
  [0.05, 0.5],
])('variance %d gives factor %d', (variance, factor) => {
  expect(varianceFactor(variance, 0.1, 0.5)).toBeCloseTo(factor, 10);
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

describe('scaling weights', () => {
  it('multiplies and rescales to the former sum', () => {
    const scaled = scaleWeights({ semantic: 1, keyword: 1 }, { semantic: 1, keyword: 0.5 });
    expect(scaled.semantic).toBeCloseTo(1.3333, 4);
    expect(scaled.keyword).toBeCloseTo(0.6667, 4);
  });

  it('a lane without a factor keeps its share against lanes of factor 1', () => {
    expect(scaleWeights({ semantic: 0.5, keyword: 0.5 }, { graph: 1.5 })).toEqual({
      semantic: 0.5,
      keyword: 0.5,
    });
  });

  it('factors that leave nothing change nothing', () => {
    expect(scaleWeights({ semantic: 2 }, { semantic: 0 })).toEqual({ semantic: 2 });
  });

  const lanes = fc.dictionary(
    fc.constantFrom<Lane>(...LANES),
    fc.double({ min: 0.01, max: 10, noNaN: true }),
  );

  it('keeps the sum and the lanes, and the ratio of two lanes changes as their factors do', () => {
    const sum = (values: object) => Object.values(values).reduce((a: number, b: number) => a + b, 0);
    fc.assert(
      fc.property(lanes, lanes, (weights, factors) => {
        const scaled = scaleWeights(weights, factors);
        expect(Object.keys(scaled)).toEqual(Object.keys(weights));
        expect(sum(scaled)).toBeCloseTo(sum(weights), 6);
        const [a, b] = Object.keys(weights) as Lane[];
        if (!a || !b) return;
        const expected = (weights[a]! * (factors[a] ?? 1)) / (weights[b]! * (factors[b] ?? 1));
        expect(scaled[a]! / scaled[b]! / expected).toBeCloseTo(1, 6);
      }),
    );
  });
});
