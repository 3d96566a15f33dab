import { expect, test } from 'vitest';
import type { Ranking } from '../../../src/core/model/hit.ts';
import { laneScale } from '../../../src/core/rank/lanes.ts';

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

test('cosines are measured from the median of all chunks to the best', () => {
  const scale = laneScale(semantic);
  expect(scale(1).relative).toBe(1);
  expect(scale(2).relative).toBeCloseTo(0.7407, 4);
});

test('a cosine below the median counts 0', () => {
  expect(laneScale(semantic)(3).relative).toBe(0);
});

test('cosines in absolute units run from 0.5 to 0.9', () => {
  const scale = laneScale(semantic);
  expect(scale(1).absolute).toBeCloseTo(0.8, 9);
  expect(scale(3).absolute).toBe(0);
});

test('keyword scores are measured against the best and against their upper bound', () => {
  const scale = laneScale({
    lane: 'keyword',
    entries: [{ slot: 1, score: 8 }],
    best: 8,
    scoreOf: () => 6,
    bound: 12,
  });
  expect(scale(2)).toEqual({ raw: 6, relative: 0.75, absolute: 0.5 });
});

test('the score of a name counts by the share of it that the query says, in absolute units whole', () => {
  const scale = laneScale({
    lane: 'title',
    entries: [],
    best: 8,
    scoreOf: () => 6,
    bound: 12,
    shareOf: () => ({ value: 0.5, matched: 1, total: 2 }),
  });
  expect(scale(2)).toEqual({ raw: 6, relative: 0.375, absolute: 0.5 });
});

test('a lane without any match gives 0 everywhere', () => {
  const scale = laneScale({ lane: 'keyword', entries: [], best: 0, scoreOf: () => 0, bound: 12 });
  expect(scale(2)).toEqual({ raw: 0, relative: 0, absolute: 0 });
});

test('a best that hardly stands out from the median counts little', () => {
  const flat: Ranking = {
    ...semantic,
    entries: [{ slot: 1, score: 0.52 }],
    best: 0.52,
    scoreOf: () => 0.52,
    median: 0.5,
  };
  expect(laneScale(flat)(1).relative).toBeCloseTo(0.02 / 0.25, 9);
});
