import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QUERY_TYPES, type QueryType } from '../../../src/core/model/query.ts';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { diversifyCandidates } from '../../../src/core/search/diversify-candidates.ts';
import {
  type Candidate,
  initialState,
  type SearchRequest,
  type SearchState,
} from '../../../src/core/search/state.ts';
import { checkExplanation } from '../../support/check-explanation.ts';
import { askedOf } from '../../support/found.ts';

/** Candidates by fused score and by direction of their vector in degrees: at 60° a cosine is 0.5, which counts 0. */
async function run(
  found: readonly (readonly [fused: number, degrees: number])[],
  settings: Partial<SearchSettings>,
  queryType: QueryType = 'exploratory',
): Promise<readonly Candidate[]> {
  const candidates = found.map(([fused], slot): Candidate => {
    const score = 0.9 - slot / 100;
    const own = { label: 'confidence', value: score, parts: [{ label: 'absolute score', value: score }] };
    return { slot, id: `c${slot}`, document: 0, place: 0, fused, absolute: 0, score, explanation: [own] };
  });
  const vectorOf = (slot: number) => {
    const angle = (found[slot]![1] * Math.PI) / 180;
    return Float32Array.of(Math.cos(angle), Math.sin(angle));
  };
  const request = { settings: { mmrEnabled: true, ...settings }, explain: true } as SearchRequest;
  const state: SearchState = { ...initialState(request), queryType, candidates };
  const services = askedOf({ vectors: (slots) => slots.map(vectorOf) });
  return (await diversifyCandidates(state, services)).candidates;
}

const slots = (candidates: readonly Candidate[]) => candidates.map(({ slot }) => slot);
const mmrOf = ({ explanation }: Candidate) => explanation.find(({ label }) => label === 'MMR')!;

/** The best, the same again a little worse, and two that say other things. */
const FOUND = [
  [0.8, 0],
  [0.72, 0],
  [0.56, 120],
  [0.4, 240],
] as const;

test.each([
  // λ · 0.9 − (1 − λ) · 1 for the repetition; λ · 0.7 and λ · 0.5 for the others.
  ['factual', 0.9, [0, 1, 2, 3], 0.71],
  ['navigational', 0.8, [0, 2, 1, 3], 0.52],
  ['exploratory', 0.6, [0, 2, 3, 1], 0.14],
] as const)('λ of a %s query is %d', async (type, lambda, order, value) => {
  const candidates = await run(FOUND, { mmrByQueryType: true, mmrLambda: 1 }, type);
  expect(slots(candidates)).toEqual(order);
  const told = mmrOf(candidates.find(({ slot }) => slot === 1)!);
  expect(told.value).toBeCloseTo(value, 6);
  expect(told.parts?.map(({ weight }) => weight)).toEqual([lambda, expect.closeTo(lambda - 1, 12)]);
});

test('without types λ is that of the settings for all of them', async () => {
  for (const type of QUERY_TYPES) {
    const candidates = await run(FOUND, { mmrByQueryType: false, mmrLambda: 0.7 }, type);
    expect(slots(candidates)).toEqual([0, 2, 3, 1]);
    expect(mmrOf(candidates[3]!).value).toBeCloseTo(0.7 * 0.9 - 0.3, 6);
  }
});

test('whatever was found: the same passages, the first 30 reordered, no confidence risen, sums that add up', async () => {
  const found = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 359 })), {
      maxLength: 40,
      size: 'max',
    })
    .map((list) => list.toSorted(([a], [b]) => b - a).map(([score, at]) => [score / 100, at] as const));
  await fc.assert(
    fc.asyncProperty(found, fc.double({ min: 0, max: 1, noNaN: true }), async (list, mmrLambda) => {
      const candidates = await run(list, { mmrLambda });
      expect(slots(candidates).sort((a, b) => a - b)).toEqual([...list.keys()]);
      expect(slots(candidates).slice(30)).toEqual([...list.keys()].slice(30));
      for (const [place, { score, slot, explanation }] of candidates.entries()) {
        expect(score).toBeLessThanOrEqual(Math.min(0.9 - slot / 100, candidates[place - 1]?.score ?? 1));
        for (const part of explanation.filter(({ label }) => label !== 'confidence'))
          expect(checkExplanation(part, {}, '/')).toEqual([]);
      }
    }),
  );
});
