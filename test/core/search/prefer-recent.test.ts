import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { preferRecent } from '../../../src/core/search/lift-candidates.ts';
import {
  type Candidate,
  initialState,
  type SearchRequest,
  type SearchState,
} from '../../../src/core/search/state.ts';
import { checkExplanation } from '../../support/check-explanation.ts';
import { foundOf } from '../../support/found.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 22);

/** Documents by age in days; each has one candidate of the given fused score. */
function prefer(bias: number, found: readonly (readonly [days: number, fused: number])[]): SearchState {
  const modified = found.map(([days]) => NOW - days * DAY);
  const candidates = found.map(([, fused], number): Candidate => {
    const id = `c${number}`;
    return {
      slot: number,
      id,
      document: number,
      place: number,
      fused,
      absolute: 0.4,
      score: 0,
      explanation: [],
    };
  });
  const request = { settings: { recencyBias: bias } as SearchSettings, now: NOW, explain: true };
  return preferRecent({
    ...initialState(request as SearchRequest),
    found: foundOf({}, { modified }),
    candidates,
  });
}

test('a newer document overtakes a slightly better one, and only its place changes', () => {
  const { candidates } = prefer(0.5, [
    [400, 0.6],
    [3, 0.55],
  ]);
  expect(candidates.map(({ id }) => id)).toEqual(['c1', 'c0']);
  expect(candidates[0]?.fused).toBeCloseTo(0.66, 10);
  expect(candidates.map(({ absolute }) => absolute)).toEqual([0.4, 0.4]);
});

test('0 switches it off', () => {
  const { candidates } = prefer(0, [
    [400, 0.6],
    [3, 0.55],
  ]);
  expect(candidates.map(({ fused }) => fused)).toEqual([0.6, 0.55]);
  expect(candidates[0]?.explanation).toEqual([]);
});

test('files of one age keep their order, equal scores by id', () => {
  const { candidates } = prefer(1, [
    [2, 0.6],
    [2, 0.5],
    [1, 0.5],
  ]);
  expect(candidates.map(({ id }) => id)).toEqual(['c0', 'c1', 'c2']);
});

test('the explanation multiplies out to the new score', () => {
  const [first] = prefer(0.5, [[20, 0.5]]).candidates;
  const [order] = first?.explanation ?? [];
  const [fused, recency] = order?.parts ?? [];
  expect(order?.value).toBe(first?.fused);
  expect(fused!.value * recency!.value).toBeCloseTo(order!.value, 10);
  expect(recency?.parts?.[0]?.value).toBeCloseTo(20, 10);
});

test('whatever was found: the same passages, best first; none is lowered, of two equal ones the newer is not below', () => {
  const days = fc.oneof(fc.double({ min: -400, max: 40, noNaN: true }), fc.constantFrom(7, 30, 20_000));
  const found = fc
    .array(fc.tuple(days, fc.constantFrom(0, 0.2, 0.5, 0.51, 0.9)), { maxLength: 10 })
    .map((list) => list.toSorted(([, a], [, b]) => b - a));
  fc.assert(
    fc.property(found, fc.double({ min: 0, max: 1, noNaN: true }), (list, bias) => {
      const { candidates } = prefer(bias, list);
      expect(candidates.map(({ slot }) => slot).sort()).toEqual([...list.keys()]);
      for (const [place, { slot, fused, explanation }] of candidates.entries()) {
        const [age, before] = list[slot]!;
        expect(fused).toBeGreaterThanOrEqual(before);
        expect(fused).toBeLessThanOrEqual(before * (1 + 0.4 * bias) + 1e-12);
        expect(fused).toBeLessThanOrEqual(candidates[place - 1]?.fused ?? 2);
        for (const other of candidates) {
          const [otherAge, otherBefore] = list[other.slot]!;
          const isNewer = age >= 0 && age < otherAge && before === otherBefore;
          if (isNewer) expect(fused).toBeGreaterThanOrEqual(other.fused);
        }
        expect(explanation.flatMap((part) => checkExplanation(part, {}))).toEqual([]);
      }
    }),
  );
});
