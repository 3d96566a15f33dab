import fc from 'fast-check';
import { expect, test } from 'vitest';
import { initialState } from '../../../src/core/search/state.ts';
import { applyThreshold } from '../../../src/core/search/trust-hits.ts';

function stateOf(scores: readonly number[], minConfidence: number) {
  const candidates = scores.map((score, slot) => ({
    slot,
    id: String(slot),
    document: slot,
    place: 0,
    fused: scores.length - slot,
    absolute: score,
    score,
    explanation: [],
  }));
  const start = initialState({ minConfidence } as Parameters<typeof initialState>[0]);
  return { ...start, candidates };
}

test('an unsure hit that was put on top goes, and takes none of the sure ones with it', () => {
  const { candidates } = applyThreshold(stateOf([0.1, 0.8, 0.9, 0.4], 0.3));
  expect(candidates.map(({ slot, score }) => [slot, score])).toEqual([
    [1, 0.8],
    [2, 0.8],
    [3, 0.4],
  ]);
});

test('without a threshold all stay, under the confidence of the first', () => {
  const { candidates } = applyThreshold(stateOf([0.1, 0.8], 0));
  expect(candidates.map(({ score }) => score)).toEqual([0.1, 0.1]);
});

test('those that are not sure enough are set apart, in their order', () => {
  const { candidates, unsure } = applyThreshold(stateOf([0.07, 0.4, 0.1, 0.5], 0.4));
  expect(candidates.map(({ slot }) => slot)).toEqual([1, 3]);
  expect(unsure.map(({ slot, score }) => [slot, score])).toEqual([
    [0, 0.07],
    [2, 0.1],
  ]);
});

test('whoever is sure enough stays, nobody else, and no confidence falls below the threshold or rises', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(share, { maxLength: 20 }), share, (scores, least) => {
      const { candidates, unsure } = applyThreshold(stateOf(scores, least));
      const sure = [...scores.keys()].filter((slot) => scores[slot]! >= least);
      expect(candidates.map(({ slot }) => slot)).toEqual(sure);
      for (const [place, { slot, score }] of candidates.entries()) {
        const above = candidates[place - 1]?.score ?? 1;
        expect(score).toBeGreaterThanOrEqual(least);
        expect(score).toBe(Math.min(scores[slot]!, above));
      }
      expect(unsure.map(({ slot }) => slot)).toEqual(
        [...scores.keys()].filter((slot) => scores[slot]! < least),
      );
    }),
  );
});
