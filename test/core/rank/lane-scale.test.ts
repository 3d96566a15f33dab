import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LANE_TABLE } from '../../../src/core/lanes/lane-table.ts';
import type { LaneScores } from '../../../src/core/model/candidates.ts';
import { LANES } from '../../../src/core/model/ranking-constants.ts';
import { COSINE_SCALE, type LaneColumn, SCALE_TO_BEST } from '../../../src/core/rank/lane-scale.ts';

const SCALE = { floor: 0.5, span: 0.4, minSpan: 0.25 };

const semantic: Omit<LaneScores, 'scores'> = { best: 0.82, median: 0.55 };
const cosines = (...scores: number[]) =>
  COSINE_SCALE.apply({ ...semantic, scores: Float64Array.from(scores) }, SCALE);

function column(relative: number, absolute: number): LaneColumn {
  return { relative: Float64Array.of(relative), absolute: Float64Array.of(absolute) };
}

test('cosines are measured from the median of all chunks to the best', () => {
  const { relative } = cosines(0.82, 0.75);
  expect(relative[0]).toBe(1);
  expect(relative[1]).toBeCloseTo(0.7407, 4);
});

test('a cosine below the median counts 0', () => {
  expect(cosines(0.4).relative[0]).toBe(0);
});

test('cosines in absolute units run from 0.5 to 0.9', () => {
  const { absolute } = cosines(0.82, 0.4);
  expect(absolute[0]).toBeCloseTo(0.8, 9);
  expect(absolute[1]).toBe(0);
});

test('keyword scores are measured against the best and against their upper bound', () => {
  const lane = { best: 8, bound: 12, scores: Float64Array.of(6) };
  expect(SCALE_TO_BEST.apply(lane, SCALE)).toEqual(column(0.75, 0.5));
});

test('the score of a name counts by the share of it that the query says, in absolute units whole', () => {
  const lane = { best: 8, bound: 12, scores: Float64Array.of(6), shares: Float64Array.of(0.5) };
  expect(SCALE_TO_BEST.apply(lane, SCALE)).toEqual(column(0.375, 0.5));
});

test('a lane without any match gives 0 everywhere', () => {
  const lane = { best: 0, bound: 12, scores: Float64Array.of(0) };
  expect(SCALE_TO_BEST.apply(lane, SCALE)).toEqual(column(0, 0));
});

test('a best that hardly stands out from the median counts little', () => {
  const flat = { best: 0.52, median: 0.5, scores: Float64Array.of(0.52) };
  expect(COSINE_SCALE.apply(flat, SCALE).relative[0]).toBeCloseTo(0.02 / 0.25, 9);
});

test('in every lane both scales are 0–1 and keep the order, and the best has 1 where it stands out', () => {
  const score = fc.double({ min: 0, max: 30, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...LANES), fc.gen(), score, score, (lane, draw, median, bound) => {
      // A share of the query ends at 1.
      const most = lane === 'coverage' ? 1 : 30;
      const list = draw(fc.array, fc.double({ min: 0, max: most, noNaN: true }), {
        minLength: 1,
        maxLength: 20,
      });
      const best = Math.max(...list);
      const scores = Float64Array.from(list);
      const { relative, absolute } = LANE_TABLE[lane].scale.apply({ best, median, bound, scores }, SCALE);
      const order = [...list.keys()].sort((a, b) => list[a]! - list[b]!);
      for (const column of [relative, absolute]) {
        const values = order.map((place) => column[place]!);
        expect(values).toEqual(values.toSorted((a, b) => a - b));
        expect(values[0]).toBeGreaterThanOrEqual(0);
        expect(values.at(-1)).toBeLessThanOrEqual(1);
      }
      const standsOut =
        LANE_TABLE[lane].scale === COSINE_SCALE
          ? best - median >= 0.25
          : lane === 'coverage'
            ? best === 1
            : best > 0;
      if (standsOut) expect(relative[order.at(-1)!]).toBe(1);
    }),
  );
});
