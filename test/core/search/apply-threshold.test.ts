import { expect, test } from 'vitest';
import { applyThreshold } from '../../../src/core/search/apply-threshold.ts';
import { initialState } from '../../../src/core/search/state.ts';

function stateOf(scores: readonly number[], minConfidence: number) {
  const candidates = scores.map((score, slot) => ({
    slot,
    id: String(slot),
    document: slot,
    place: 0,
    fused: scores.length - slot,
    evidence: score,
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
