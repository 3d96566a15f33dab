import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candidates } from '../../../src/core/model/candidates.ts';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { pseudoRelevanceFeedback } from '../../../src/core/search/lift-candidates.ts';
import {
  type Candidate,
  initialState,
  type SearchRequest,
  type SearchState,
} from '../../../src/core/search/state.ts';
import { checkExplanation } from '../../support/check-explanation.ts';
import { askedOf, foundOf, laneFound } from '../../support/found.ts';

type Lanes = Candidates['lanes'];
const SEMANTIC: Lanes = { semantic: laneFound([], { best: 0.9, median: 0.2 }) };
const WORDS: Lanes = { keyword: laneFound([], { best: 1 }) };
const SETTINGS = { feedbackWeight: 0.2, fusion: 'convex' } as SearchSettings;

/** Candidates by fused score and by direction of their vector in degrees; undefined: it has none yet. */
async function run(
  found: readonly (readonly [fused: number, degrees: number | undefined])[],
  settings: Partial<SearchSettings> = {},
  lanes: Lanes = SEMANTIC,
  words = 2,
): Promise<SearchState> {
  const candidates = found.map(([fused], slot): Candidate => {
    const id = `c${slot}`;
    return { slot, id, document: slot, place: slot, fused, absolute: 0.4, score: 0, explanation: [] };
  });
  const vectorOf = (slot: number) => {
    const degrees = found[slot]![1];
    if (degrees === undefined) return undefined;
    const angle = (degrees * Math.PI) / 180;
    return Float32Array.of(Math.cos(angle), Math.sin(angle));
  };
  const query = parseQuery(Array.from({ length: words }, (_, place) => `subject${place}`).join(' '));
  const request = { query, settings: { ...SETTINGS, ...settings }, explain: true } as SearchRequest;
  const fusion = Object.fromEntries(Object.keys(lanes).map((lane) => [lane, 1]));
  const state = {
    ...initialState(request),
    weights: { fusion, absolute: {} },
    found: foundOf(lanes),
    candidates,
  };
  return pseudoRelevanceFeedback(state, askedOf({ vectors: (slots) => slots.map(vectorOf) }));
}

const order = ({ candidates }: SearchState) => candidates.map(({ id }) => id);

test('what resembles the two best overtakes what does not, and only its place changes', async () => {
  const state = await run([
    [0.9, 0],
    [0.8, 0],
    [0.6, 90],
    [0.5, 0],
  ]);
  expect(order(state)).toEqual(['c0', 'c1', 'c3', 'c2']);
  // (0.5 + 0.2 · 1) / 1.2, and (0.6 + 0.2 · 0) / 1.2.
  expect(state.candidates[2]?.fused).toBeCloseTo(0.583333, 6);
  expect(state.candidates[3]?.fused).toBeCloseTo(0.5, 10);
  expect(state.candidates.every(({ absolute }) => absolute === 0.4)).toBe(true);
});

test.each([
  // The two best are alike, all others otherwise: 1 / 3 and 1 / 2 of the mean are theirs when the third and fourth count.
  [11, { ...SEMANTIC, ...WORDS }, 0, 2],
  [12, { ...SEMANTIC, ...WORDS }, (1 / 3 - 0.2) / (2 / 3 - 0.2), 3],
  [16, { ...SEMANTIC, ...WORDS }, 1, 4],
  [60, { ...SEMANTIC, ...WORDS }, 1, 4],
  // Where nothing but meaning chose them, the two best are all.
  [60, SEMANTIC, 0, 2],
])(
  'a question of %d words is shown by as many of the best as it needs',
  async (words, lanes, likeness, best) => {
    const found = [0.9, 0.8, 0.7, 0.6, 0.5].map((fused, place) => [fused, place < 2 ? 0 : 90] as const);
    const { candidates } = await run(found, {}, lanes, words);
    const last = candidates.find(({ id }) => id === 'c4');
    expect(last?.fused).toBeCloseTo((0.5 + 0.2 * likeness) / 1.2, 6);
    expect(last?.explanation[0]?.parts?.[1]?.parts).toContainEqual({
      label: 'best passages in the mean',
      value: best,
    });
  },
);

test('its explanation adds up, for a passage without a vector, too', async () => {
  const { candidates } = await run([
    [0.9, 0],
    [0.8, 40],
    [0.6, undefined],
    [0.5, 70],
  ]);
  expect(
    candidates.flatMap(({ explanation }) => explanation.flatMap((part) => checkExplanation(part, {}))),
  ).toEqual([]);
  expect(candidates[0]?.explanation[0]?.label).toBe('fused + likeness');
});

test('the first hundred can be lifted, whatever lies behind them stays behind', async () => {
  const many = Array.from(
    { length: 120 },
    (_, index) => [0.9 - index / 1000, index % 3 === 2 ? 90 : 0] as const,
  );
  const state = await run(many);
  expect(order(state).slice(100)).toEqual(many.slice(100).map((_, index) => `c${index + 100}`));
  expect(order(state).slice(0, 100)).not.toEqual(many.slice(0, 100).map((_, index) => `c${index}`));
});

/** Links reach the first so many candidates. */
const linked = (count: number): Lanes => ({
  ...SEMANTIC,
  graph: laneFound(Array.from({ length: 20 }, (_, place) => (place < count ? 1 : 0))),
});

test.each([
  [0, 0.2],
  [1, 0.1],
  [2, 0],
  [4, 0],
])(
  'where links reach %i of four candidates it weighs %d: from half of them on nothing is lifted',
  async (reached, weight) => {
    const state = await run(
      [
        [0.9, 0],
        [0.8, 0],
        [0.6, 90],
        [0.59, 0],
      ],
      {},
      linked(reached),
    );
    const last = state.candidates.find(({ id }) => id === 'c3');
    expect(last?.fused).toBeCloseTo((0.59 + weight) / (1 + weight), 10);
    expect(last?.explanation.flatMap((part) => checkExplanation(part, {}))).toEqual([]);
    const told = last?.explanation[0]?.parts?.find(({ label }) => label === 'weight of likeness');
    expect(told?.value ?? 0).toBeCloseTo(weight, 10);
    expect(told?.parts?.map(({ value }) => value)).toEqual(weight > 0 ? [0.2, reached / 4, 0.5] : undefined);
  },
);

test.each([
  ['at weight 0', { feedbackWeight: 0 }, SEMANTIC],
  ['by words only', {}, {}],
  ['under reciprocal ranks, whose scores have another scale', { fusion: 'rrf' }, SEMANTIC],
] as const)('does nothing %s', async (_, settings, lanes) => {
  const state = await run(
    [
      [0.9, 0],
      [0.6, 90],
      [0.5, 0],
    ],
    settings,
    lanes,
  );
  expect(order(state)).toEqual(['c0', 'c1', 'c2']);
  expect(state.candidates[0]?.fused).toBe(0.9);
});

test('whatever was found: the same passages, best first, each with the sum its explanation tells', async () => {
  const score = fc.double({ min: 0, max: 1, noNaN: true });
  const direction = fc.option(fc.integer({ min: 0, max: 359 }), { nil: undefined });
  const found = fc
    .array(fc.tuple(score, direction), { maxLength: 20 })
    .map((list) => list.toSorted(([a], [b]) => b - a));
  const weight = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(found, weight, fc.nat(10), async (list, feedbackWeight, reached) => {
      const { candidates } = await run(list, { feedbackWeight }, linked(reached));
      expect(candidates.map(({ slot }) => slot).sort((a, b) => a - b)).toEqual([...list.keys()]);
      for (const [place, { slot, fused, absolute, explanation }] of candidates.entries()) {
        expect(fused).toBeLessThanOrEqual(candidates[place - 1]?.fused ?? 1);
        expect(absolute).toBe(0.4);
        expect(explanation.flatMap((part) => checkExplanation(part, {}))).toEqual([]);
        const [told] = explanation;
        expect(told?.value ?? list[slot]![0]).toBe(fused);
        const likeness = told?.parts?.find(({ label }) => label === 'likeness to the best')?.value ?? 0;
        expect(likeness).toBeGreaterThanOrEqual(0);
        expect(likeness).toBeLessThanOrEqual(1);
      }
    }),
  );
});
