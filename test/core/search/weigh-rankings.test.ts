import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candidates } from '../../../src/core/model/candidates.ts';
import type { Lane } from '../../../src/core/model/ranking-constants.ts';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { initialState, type SearchRequest, type SearchState } from '../../../src/core/search/state.ts';
import { classifyQuery } from '../../../src/core/search/understand-query.ts';
import { weighRankings } from '../../../src/core/search/weigh-rankings.ts';
import { checkExplanation } from '../../support/check-explanation.ts';
import { foundOf, laneFound } from '../../support/found.ts';

const SETTINGS = {
  candidates: 100,
  adaptiveWeightsEnabled: false,
  coverageWeightsEnabled: false,
  dynamicWeightsEnabled: false,
  varianceThreshold: 0.1,
  minFactor: 0.5,
} as SearchSettings;

/** Scores of 0, a half and 1 vary by 1/6, above the threshold; nine zeros among ten by 0.09. */
const CLEAR = [1, 0.5, 0];
const FLAT = [1, ...Array.from({ length: 9 }, () => 0)];

/** How much of the query some passage holds at most. */
const covered = (best: number) => laneFound([], { best });

function weigh(
  text: string,
  settings: Partial<SearchSettings>,
  lanes: Candidates['lanes'] = {},
): SearchState {
  const request = { query: parseQuery(text), explain: true, settings: { ...SETTINGS, ...settings } };
  const weights = { semantic: 0.5, keyword: 0.3, title: 0.2 };
  const start = classifyQuery(initialState(request as SearchRequest));
  return weighRankings({ ...start, found: foundOf(lanes), weights: { fusion: weights, absolute: weights } });
}

test('the type of the query is told, and moves no weight while adaptive weights are off', () => {
  const state = weigh('getUserById', {});
  expect(state.queryType).toBe('factual');
  expect(state.weights.fusion).toEqual({ semantic: 0.5, keyword: 0.3, title: 0.2 });
  expect(state.weighing).toBeUndefined();
});

test('a factual query shifts weight to the lanes of words, and leaves that of the absolute score', () => {
  const { weights } = weigh('getUserById', { adaptiveWeightsEnabled: true });
  expect(weights.fusion.semantic).toBeCloseTo(0.4, 10); // 0.5 / (0.5 + 1.5 · 0.5)
  expect(weights.fusion.keyword).toBeCloseTo(0.36, 10);
  expect(weights.fusion.title).toBeCloseTo(0.24, 10);
  expect(weights.absolute).toEqual({ semantic: 0.5, keyword: 0.3, title: 0.2 });
});

test.each([
  // Of four words the best passage holds less than one; of six, two.
  ['the pancake dough turned out flat', 0.2, 0.4],
  ['one long question that asks about some seven other things', 0.4, 1],
  ['pancake', 1, 1],
  ['pancake', 0, 0],
])('where words find little of “%s”, finding by words loses weight', (text, bestCoverage, factor) => {
  const lanes = { semantic: laneFound(CLEAR), keyword: laneFound(CLEAR), coverage: covered(bestCoverage) };
  const { weights } = weigh(text, { coverageWeightsEnabled: true }, lanes);
  expect(weights.fusion.keyword! / weights.fusion.semantic!).toBeCloseTo((0.3 / 0.5) * factor, 10);
  expect(weights.fusion.title! / weights.fusion.semantic!).toBeCloseTo((0.2 / 0.5) * factor, 10);
  expect(weights.absolute).toEqual({ semantic: 0.5, keyword: 0.3, title: 0.2 });
  const off = weigh(text, { adaptiveWeightsEnabled: true }, lanes);
  expect(off.weights.fusion.keyword).toBe(0.3);
});

test('what a misspelt word is read as says nothing against words', () => {
  const spellings = { terms: ['token'], share: 0.7 };
  const query = parseQuery('rotate tokne');
  const misspelt = {
    ...query,
    terms: query.terms.map((term, place) => (place ? { ...term, spellings } : term)),
  };
  const weights = { semantic: 0.5, keyword: 0.5 };
  const weighed = (asked: typeof query) => {
    const settings = { ...SETTINGS, coverageWeightsEnabled: true };
    const start = initialState({ query: asked, explain: false, settings } as SearchRequest);
    const lanes = { keyword: laneFound(CLEAR), coverage: covered(0.85) };
    return weighRankings({ ...start, found: foundOf(lanes), weights: { fusion: weights, absolute: weights } })
      .weights.fusion;
  };
  // One word is asked for as it stands: 0.85 of it, not 1.7 of two.
  expect(weighed(query).keyword! / weighed(query).semantic!).toBeCloseTo(0.85, 10);
  expect(weighed({ ...misspelt, terms: misspelt.terms.slice(1) })).toEqual(weights);
});

test('a ranking of flat scores loses weight, and with the keyword ranking the lanes read off it', () => {
  const { weights } = weigh(
    'x',
    { dynamicWeightsEnabled: true },
    {
      semantic: laneFound(CLEAR),
      keyword: laneFound(FLAT),
    },
  );
  // Factors 1 and 0.9: 0.5 / (0.5 + 0.9 · 0.5).
  expect(weights.fusion.semantic).toBeCloseTo(0.526316, 6);
  expect(weights.fusion.title! / weights.fusion.keyword!).toBeCloseTo(0.2 / 0.3, 10);
});

test('entries beyond the candidates do not count, so a longer answer has the same weights', () => {
  const lanes = {
    semantic: laneFound(CLEAR),
    keyword: laneFound([...CLEAR, ...FLAT.slice(1), ...FLAT.slice(1)]),
  };
  const settings = { dynamicWeightsEnabled: true, candidates: 3 };
  expect(weigh('x', settings, lanes).weights.fusion.semantic).toBeCloseTo(0.5, 10);
});

test('the explanation multiplies out to the weights', () => {
  const settings = { adaptiveWeightsEnabled: true, dynamicWeightsEnabled: true };
  const state = weigh('getUserById', settings, {
    semantic: laneFound(FLAT),
    keyword: laneFound(CLEAR),
  });
  const lanes = state.weighing?.parts ?? [];
  expect(lanes).toHaveLength(3);
  for (const { label, value, parts = [] } of lanes) {
    expect(value).toBe(state.weights.fusion[label as Lane]);
    expect(parts.reduce((product, part) => product * part.value, 1)).toBeCloseTo(value, 10);
  }
  expect(state.weighing?.value).toBeCloseTo(1, 10);
});

test('weight moves and none is won or lost, each lane by the product of its factors, under any settings', () => {
  const scores = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { maxLength: 12 });
  const query = fc.constantFrom(
    'getUserById',
    'chapter on tokens',
    'why does it rain?',
    'pancake dough flat',
  );
  const settings = fc.record<Partial<SearchSettings>>({
    adaptiveWeightsEnabled: fc.boolean(),
    coverageWeightsEnabled: fc.boolean(),
    dynamicWeightsEnabled: fc.boolean(),
    varianceThreshold: fc.double({ min: 0.01, max: 0.25, noNaN: true }),
    minFactor: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const coverage = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(query, settings, scores, scores, coverage, (text, set, meaning, words, bestCoverage) => {
      const lanes = {
        semantic: laneFound(meaning),
        keyword: laneFound(words),
        coverage: covered(bestCoverage),
      };
      const { weights, weighing, laneFactors } = weigh(text, set, lanes);
      const { fusion, absolute } = weights;
      expect(absolute).toEqual({ semantic: 0.5, keyword: 0.3, title: 0.2 });
      expect(fusion.semantic! + fusion.keyword! + fusion.title!).toBeCloseTo(1, 10);
      for (const weight of Object.values(fusion)) expect(weight).toBeGreaterThanOrEqual(0);
      // Title and words are read off one index: what is said of the one holds for the other.
      expect(fusion.title! * 0.3).toBeCloseTo(fusion.keyword! * 0.2, 10);
      const due = (lane: Lane) => absolute[lane]! * (laneFactors[lane] ?? 1);
      expect(fusion.semantic! * due('keyword')).toBeCloseTo(fusion.keyword! * due('semantic'), 10);
      if (weighing) expect(checkExplanation(weighing, {})).toEqual([]);
    }),
  );
});
