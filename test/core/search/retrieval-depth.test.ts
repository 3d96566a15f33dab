import { expect, test } from 'vitest';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { retrievalDepth, votingDepth } from '../../../src/core/search/retrieve.ts';

const settings = (some: Partial<SearchSettings>) =>
  ({ candidates: 200, rerankEnabled: false, rerankTopN: 10, ...some }) as SearchSettings;

test.each<[Partial<SearchSettings>, number, number]>([
  [{}, 5, 200],
  [{ candidates: 20 }, 50, 100],
  [{ candidates: 10, rerankEnabled: true, rerankTopN: 30 }, 5, 30],
  [{ candidates: 'dynamic' }, 3, 10],
  [{ candidates: 'dynamic' }, 30, 60],
  [{ candidates: 'dynamic', rerankEnabled: true, rerankTopN: 25 }, 5, 25],
])('%j for %d hits asks for %d chunks', (some, topN, depth) => {
  expect(retrievalDepth(settings(some), topN)).toBe(depth);
});

test('a fixed number has the same say whatever is asked for, a dynamic one follows', () => {
  expect([1, 100].map((topN) => votingDepth(settings({ candidates: 20 }), topN))).toEqual([20, 20]);
  expect([1, 100].map((topN) => votingDepth(settings({ candidates: 'dynamic' }), topN))).toEqual([10, 200]);
});
