import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONFIDENCE_WORDS } from '../../../src/core/model/hit.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { initialState } from '../../../src/core/search/state.ts';
import { trustHits } from '../../../src/core/search/trust-hits.ts';

interface Given {
  readonly document: number;
  readonly score: number;
  readonly fused: number;
}

/** Words that no passage contains. */
const MISSING = ['2031', '9.9.9', 'zymurgi'];

/** @param titles places of candidates whose titles have a word of the query */
function words(
  given: readonly Given[],
  fusion: 'convex' | 'rrf' = 'convex',
  { asked = 'token rotation', titles = [] as readonly number[] } = {},
) {
  const query = parseQuery(asked);
  const request = { topN: 5, explain: false, settings: { fusion }, query } as Parameters<
    typeof initialState
  >[0];
  const title = {
    scores: Float64Array.from(given, (_, place) => Number(titles.includes(place))),
    ...{ ranked: [], best: 1 },
  };
  const candidates = given.map((each, slot) => ({
    ...{ slot, id: String(slot), place: slot, absolute: each.score, explanation: [] },
    ...each,
  }));
  const { found, ...state } = initialState(request);
  const lanes = { ...found.lanes, title };
  const known = { countOf: (term: string) => (MISSING.includes(term) ? 0 : 1) };
  const services = { retrieval: { words: known } } as unknown as Parameters<typeof trustHits>[1];
  return trustHits({ ...state, found: { ...found, lanes }, candidates }, services).candidates.map(
    ({ trust }) => trust,
  );
}

const clear = [
  { document: 1, score: 0.9, fused: 0.95 },
  { document: 2, score: 0.4, fused: 0.4 },
  { document: 3, score: 0.3, fused: 0.3 },
];

test('high takes both a confidence and a lead', () => {
  expect(words(clear)[0]).toBe('high');
  expect(words(clear.map((each) => ({ ...each, score: 0.4 })))[0]).toBe('fair');
  expect(words(clear.map((each) => ({ ...each, fused: 0.9 })))[0]).toBe('low');
});

test('what is not sure is low, however far it leads', () => {
  expect(words(clear.map((each) => ({ ...each, score: 0.2 })))[0]).toBe('low');
});

test('a hit for a single word is high only where a name or heading has the word', () => {
  const asked = 'rotation';
  expect(words(clear, 'convex', { asked })[0]).toBe('fair');
  expect(words(clear, 'convex', { asked, titles: [1] })[0]).toBe('fair');
  expect(words(clear, 'convex', { asked, titles: [0] })[0]).toBe('high');
});

test('no hit is high if a number of the query is in no passage', () => {
  for (const asked of ['token rotation 2031', 'rotation in v9.9.9'])
    expect(words(clear, 'convex', { asked })[0]).toBe('fair');
  for (const asked of ['token rotation 2025', 'rotation in v9.9.1', 'token zymurgy'])
    expect(words(clear, 'convex', { asked })[0]).toBe('high');
});

test('a second passage of the same document takes nothing of its lead', () => {
  const second = { document: 1, score: 0.8, fused: 0.94 };
  expect(words([clear[0]!, second, ...clear.slice(1)])[0]).toBe('high');
  // Documents stand where their first passages stand.
  expect(words([clear[0]!, { ...clear[1]!, fused: 0.95 }, clear[2]!, second])[0]).not.toBe('high');
});

test('nothing is high under a fusion whose leads were not fitted', () => {
  expect(words(clear, 'rrf')).toEqual(['fair', 'fair', 'fair']);
});

test('no word rises down the list, and hits beyond those asked for have none', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.record({ document: fc.nat(5), score: share, fused: share })), (given) => {
      const ranks = words(given).map((word) => (word === undefined ? 9 : CONFIDENCE_WORDS.indexOf(word)));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      expect(ranks.filter((rank) => rank === 9)).toHaveLength(Math.max(0, given.length - 5));
    }),
  );
});
