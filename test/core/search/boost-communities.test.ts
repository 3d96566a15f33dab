import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { boostCommunities } from '../../../src/core/search/lift-candidates.ts';
import {
  type Candidate,
  initialState,
  type SearchRequest,
  type SearchState,
} from '../../../src/core/search/state.ts';
import { checkExplanation } from '../../support/check-explanation.ts';
import { foundOf } from '../../support/found.ts';

type Found = readonly (readonly [fused: number, document: number])[];

const ON = { communityDetectionEnabled: true, communityBoostFactor: 1.1 } as SearchSettings;

/** Candidates by fused score and document; documents by community, undefined where they have none. */
function run(
  found: Found,
  communities: Readonly<Record<number, number | undefined>>,
  settings: Partial<SearchSettings> = {},
  more: Partial<SearchRequest> = {},
): { readonly before: SearchState; readonly after: SearchState } {
  const candidates = found.map(([fused, document], slot): Candidate => {
    const id = `c${String(slot).padStart(3, '0')}`;
    return { slot, id, document, place: slot, fused, absolute: 0.4, score: 0, explanation: [] };
  });
  const request = { settings: { ...ON, ...settings }, mode: 'hybrid', explain: true, ...more };
  const known = foundOf({}, { communities: found.map(([, document]) => communities[document]) });
  const before = { ...initialState(request as SearchRequest), found: known, candidates };
  return { before, after: boostCommunities(before) };
}

const FIVE: Found = [0.9, 0.8, 0.7, 0.69, 0.65].map((fused, index) => [fused, index + 1]);
const TWO = { 1: 0, 5: 0, 4: 1 };

test('other documents of the communities of the three best are multiplied by the factor', () => {
  const { candidates } = run(FIVE, TWO).after;
  // 0.65 × 1.1 = 0.715, above the 0.7 of the third; the fourth is in a community none of the three is in.
  expect(candidates.map(({ document }) => document)).toEqual([1, 2, 5, 3, 4]);
  expect(candidates.map(({ fused }) => fused)).toEqual([0.9, 0.8, expect.closeTo(0.715, 12), 0.7, 0.69]);
});

test('three passages of one document are one seed: the next two documents name communities, too', () => {
  const found: Found = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map((fused, slot) => [
    fused,
    [1, 1, 1, 2, 3, 9][slot]!,
  ]);
  const { candidates } = run(found, { 3: 7, 9: 7 }).after;
  expect(candidates.at(-1)).toMatchObject({ document: 9, fused: expect.closeTo(0.44, 12) });
});

test.each([
  ['when it is switched off', { communityDetectionEnabled: false }, {}, TWO],
  ['by factor 1', { communityBoostFactor: 1 }, {}, TWO],
  ['by words alone', {}, { mode: 'keyword' }, TWO],
  ['where no seed has a community', {}, {}, { 4: 1, 5: 1 }],
] as const)('nothing changes %s', (_, settings, more, communities) => {
  const { before, after } = run(FIVE, communities, settings, more);
  expect(after).toBe(before);
});

test('whatever was found: the same passages, best first; seeds and strangers keep their scores', () => {
  const found = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.nat(8)), { maxLength: 15 })
    .map((list): Found => list.map(([score, document]) => [score / 100, document] as const))
    .map((list) => list.toSorted(([a], [b]) => b - a));
  const community = fc.constantFrom(0, 1, 2, undefined);
  const communities = fc.array(community, { minLength: 9, maxLength: 9 });
  const factor = fc.double({ min: 1, max: 3, noNaN: true });
  fc.assert(
    fc.property(found, communities, factor, (list, of, communityBoostFactor) => {
      const { before, after } = run(list, of, { communityBoostFactor });
      const seeds = [...new Set(list.map(([, document]) => document))].slice(0, 3);
      const chosen = new Set(seeds.map((document) => of[document]));
      chosen.delete(undefined);
      expect(after.candidates.map(({ id }) => id).sort()).toEqual(before.candidates.map(({ id }) => id));
      for (const [place, { fused, document, slot, absolute, explanation }] of after.candidates.entries()) {
        const isCompany = !seeds.includes(document) && chosen.has(of[document]);
        expect(fused).toBe(list[slot]![0] * (isCompany ? communityBoostFactor : 1));
        expect(fused).toBeLessThanOrEqual(after.candidates[place - 1]?.fused ?? 3);
        expect(absolute).toBe(0.4);
        expect(explanation.flatMap((part) => checkExplanation(part, {}))).toEqual([]);
        expect(explanation[0]?.value ?? fused).toBe(fused);
      }
    }),
  );
});
