import { expect, it } from 'vitest';
import { compareMetrics } from '../../../src/core/evaluate/compare.ts';
import { byMetric, type Metrics } from '../../../src/core/evaluate/metrics.ts';

const all = (value: number): Metrics => byMetric(() => value);

it('counts the queries that got better and worse, and their mean difference', () => {
  const [first, ...rest] = compareMetrics(
    [all(0.9), all(0.2), all(0.5), all(1)],
    [all(0.5), all(0.4), all(0.5), all(0)],
  );
  expect(first).toMatchObject({ metric: 'ndcg5', better: 2, worse: 1, queries: 4 });
  expect(first?.difference).toBeCloseTo(0.3, 12);
  expect(first?.pValue).toBeGreaterThan(0.1);
  expect(rest.map(({ metric }) => metric)).toEqual(['ndcg10', 'mrr10', 'recall10', 'hit1']);
});

it('finds a steady gain significant and a ranking equal to itself not', () => {
  const before = Array.from({ length: 30 }, (_, index) => all(index / 40));
  const after = before.map(({ ndcg10 }) => all(ndcg10 + 0.1));
  expect(compareMetrics(after, before).every(({ pValue }) => pValue < 0.001)).toBe(true);
  expect(
    compareMetrics(before, before).every(({ pValue, difference }) => pValue === 1 && difference === 0),
  ).toBe(true);
});
