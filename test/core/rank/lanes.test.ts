import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LANES, type Ranking } from '../../../src/core/model/hit.ts';
import { type LaneColumn, laneColumn } from '../../../src/core/rank/lanes.ts';

const SCALE = { floor: 0.5, span: 0.4, leastSpan: 0.25 };

const cosines = new Map([
  [1, 0.82],
  [2, 0.75],
  [3, 0.4],
]);

const semantic: Ranking = {
  lane: 'semantic',
  entries: [{ slot: 1, score: 0.82 }],
  best: 0.82,
  scoreOf: (slot) => cosines.get(slot) ?? 0,
  median: 0.55,
};

function column(raw: number, relative: number, absolute: number): LaneColumn {
  return {
    raw: Float64Array.of(raw),
    relative: Float64Array.of(relative),
    absolute: Float64Array.of(absolute),
  };
}

test('cosines are measured from the median of all chunks to the best', () => {
  const { relative } = laneColumn(semantic, [1, 2], SCALE);
  expect(relative[0]).toBe(1);
  expect(relative[1]).toBeCloseTo(0.7407, 4);
});

test('a cosine below the median counts 0', () => {
  expect(laneColumn(semantic, [3], SCALE).relative[0]).toBe(0);
});

test('cosines in absolute units run from 0.5 to 0.9', () => {
  const { absolute } = laneColumn(semantic, [1, 3], SCALE);
  expect(absolute[0]).toBeCloseTo(0.8, 9);
  expect(absolute[1]).toBe(0);
});

test('keyword scores are measured against the best and against their upper bound', () => {
  const ranking: Ranking = {
    lane: 'keyword',
    entries: [{ slot: 1, score: 8 }],
    best: 8,
    scoreOf: () => 6,
    bound: 12,
  };
  expect(laneColumn(ranking, [2], SCALE)).toEqual(column(6, 0.75, 0.5));
});

test('the score of a name counts by the share of it that the query says, in absolute units whole', () => {
  const ranking: Ranking = {
    lane: 'title',
    entries: [],
    best: 8,
    scoreOf: () => 6,
    bound: 12,
    shareOf: () => ({ value: 0.5, matched: 1, total: 2 }),
  };
  expect(laneColumn(ranking, [2], SCALE)).toEqual(column(6, 0.375, 0.5));
});

test('a lane without any match gives 0 everywhere', () => {
  const ranking: Ranking = { lane: 'keyword', entries: [], best: 0, scoreOf: () => 0, bound: 12 };
  expect(laneColumn(ranking, [2], SCALE)).toEqual(column(0, 0, 0));
});

test('a best that hardly stands out from the median counts little', () => {
  const flat: Ranking = {
    ...semantic,
    entries: [{ slot: 1, score: 0.52 }],
    best: 0.52,
    scoreOf: () => 0.52,
    median: 0.5,
  };
  expect(laneColumn(flat, [1], SCALE).relative[0]).toBeCloseTo(0.02 / 0.25, 9);
});

test('in every lane both scales are 0–1 and keep the order, and the best has 1 where it stands out', () => {
  const score = fc.double({ min: 0, max: 30, noNaN: true });
  const scores = fc.array(score, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.constantFrom(...LANES), scores, score, score, (lane, list, median, bound) => {
      const best = Math.max(...list);
      const ranking: Ranking = { lane, entries: [], best, median, bound, scoreOf: (slot) => list[slot]! };
      const { raw, relative, absolute } = laneColumn(ranking, [...list.keys()], SCALE);
      expect([...raw]).toEqual(list);
      const order = [...list.keys()].sort((a, b) => list[a]! - list[b]!);
      for (const column of [relative, absolute]) {
        const values = order.map((place) => column[place]!);
        expect(values).toEqual(values.toSorted((a, b) => a - b));
        expect(values[0]).toBeGreaterThanOrEqual(0);
        expect(values.at(-1)).toBeLessThanOrEqual(1);
      }
      const standsOut = lane === 'semantic' ? best - median >= 0.25 : best > 0;
      if (standsOut) expect(relative[order.at(-1)!]).toBe(1);
    }),
  );
});
