import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Lane } from '../../../src/core/model/ranking-constants.ts';
import { LANES } from '../../../src/core/model/ranking-constants.ts';
import { scaleWeights } from '../../../src/core/rank/scale-weights.ts';

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

const lanes = fc.dictionary(fc.constantFrom<Lane>(...LANES), fc.double({ min: 0.01, max: 10, noNaN: true }));

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
