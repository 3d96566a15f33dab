import { expect, test } from 'vitest';
import { wordsFound } from '../../../src/core/rank/confidence-model.ts';
import { featuresIn } from '../../../src/core/search/calibrate-candidates.ts';
import type { Candidate, SearchState } from '../../../src/core/search/state.ts';
import { foundOf, laneFound } from '../../support/found.ts';

test('a passage is complete when it has all of the idf of the query, whatever the order it was summed in', () => {
  const coverage = [1, 1 - 1e-12, 0.99, 0];
  const keyword = laneFound([5, 5, 5, 5], { bound: 10 });
  const found = foundOf({ keyword, coverage: laneFound(coverage) }, { total: 99 });
  const state = { found, request: { query: { terms: [{}, {}] } } } as unknown as SearchState;
  const { featuresOf } = featuresIn(state);
  const observed = coverage.map((_, place) => featuresOf({ place } as Candidate));
  expect(observed.map(({ complete }) => complete)).toEqual([true, true, false, false]);
  expect(observed[0]).toEqual({
    cosine: undefined,
    words: wordsFound(0.5, 2),
    complete: true,
    passages: Math.log(100),
  });
  const none = featuresIn({ ...state, found: foundOf({}, { total: 99 }) });
  expect(none.featuresOf({ place: 0 } as Candidate)).toEqual({ passages: Math.log(100) });
});
