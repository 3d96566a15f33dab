import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Lane } from '../../../src/core/model/ranking-constants.ts';
import { fuseConvex, fuseReciprocal, type LaneValues } from '../../../src/core/rank/fuse.ts';

/** More candidates than any test ranks. */
const COUNT = 2000;

/** A ranking in which a place stands at `rank`. */
function at(place: number, rank: number): { readonly ranked: readonly number[] } {
  return { ranked: [...Array.from({ length: rank - 1 }, (_, index) => 1000 + index), place] };
}

describe('reciprocal rank fusion', () => {
  test.each([
    ['ranks 3, 5 and 2', [3, 5, 2], [1, 1, 1], 0.047387],
    ['ranks 1 and 10', [1, 10], [1, 1], 0.030679],
    ['weights 1.2 and 0.8 at ranks 3 and 5', [3, 5], [1.2, 0.8], 0.031355],
    ['first in two rankings', [1, 1], [1, 1], 0.032787],
    ['first in one', [1], [1], 0.016393],
    ['a neighbour only found by the graph, weight 0.5', [1], [0.5], 0.008197],
  ])('%s', (_, ranks, weights, expected) => {
    const lanes: Lane[] = ['semantic', 'keyword', 'code'];
    const rankings = Object.fromEntries(ranks.map((rank, index) => [lanes[index]!, at(7, rank)]));
    const byLane = Object.fromEntries(weights.map((weight, index) => [lanes[index]!, weight]));
    expect(fuseReciprocal(rankings, byLane, 60, COUNT)[7]).toBeCloseTo(expected, 6);
  });

  test('a weight of 0 silences a ranking', () => {
    const weights = { semantic: 1, keyword: 0 };
    const lanes = { semantic: { ranked: [1] }, keyword: { ranked: [2] } };
    const fused = fuseReciprocal(lanes, weights, 60, 3);
    expect([...fused].map((score) => score > 0)).toEqual([false, true, false]);
  });

  test('moving up in a ranking never lowers the score', () => {
    const slots = fc.uniqueArray(fc.nat(50), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(slots, fc.nat(), (list, seed) => {
        const index = 1 + (seed % (list.length - 1));
        const slot = list[index]!;
        const raised = [...list.slice(0, index - 1), slot, list[index - 1]!, ...list.slice(index + 1)];
        const weights = { semantic: 1 };
        const before = fuseReciprocal({ semantic: { ranked: list } }, weights, 60, 51)[slot]!;
        const after = fuseReciprocal({ semantic: { ranked: raised } }, weights, 60, 51)[slot]!;
        expect(after).toBeGreaterThan(before);
      }),
    );
  });
});

describe('convex fusion', () => {
  const fuseOne = (values: LaneValues, weights: LaneValues) => {
    const columnOf = (lane: Lane) => (values[lane] === undefined ? undefined : Float64Array.of(values[lane]));
    return fuseConvex(weights, columnOf, 1)[0]!;
  };

  test('half and half of 0.7407 and 0.75', () => {
    const weights = { semantic: 0.5, keyword: 0.5 };
    expect(fuseOne({ semantic: 0.2 / 0.27, keyword: 0.75 }, weights)).toBeCloseTo(0.7454, 4);
  });

  test('an absent lane counts 0, and no weight at all gives 0', () => {
    expect(fuseOne({ semantic: 1 }, { semantic: 1, keyword: 3 })).toBe(0.25);
    expect(fuseOne({ semantic: 1 }, {})).toBe(0);
  });

  test('stays between 0 and 1 and does not depend on the scale of the weights', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const weight = fc.double({ min: 0.01, max: 10, noNaN: true });
    fc.assert(
      fc.property(
        unit,
        unit,
        weight,
        weight,
        fc.double({ min: 0.1, max: 9, noNaN: true }),
        (a, b, u, v, scale) => {
          const fused = fuseOne({ semantic: a, keyword: b }, { semantic: u, keyword: v });
          expect(fused).toBeGreaterThanOrEqual(0);
          expect(fused).toBeLessThanOrEqual(1 + 1e-12);
          expect(
            fuseOne({ semantic: a, keyword: b }, { semantic: u * scale, keyword: v * scale }),
          ).toBeCloseTo(fused, 9);
        },
      ),
    );
  });
});
