import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseUnsure, takeTop } from '../../../src/core/search/choose-hits.ts';
import { initialState } from '../../../src/core/search/state.ts';
import { applyThreshold } from '../../../src/core/search/trust-hits.ts';

interface Given {
  readonly document: number;
  readonly score: number;
  readonly content?: number;
}

function chosen(given: readonly Given[], { minDocuments = 3, minConfidence = 0.5, topN = 20 } = {}) {
  const start = initialState({
    minConfidence,
    minDocuments,
    topN,
    explain: false,
    parents: true,
  } as Parameters<typeof initialState>[0]);
  const candidates = given.map(({ document, score }, slot) => ({
    ...{ slot, id: String(slot), document, place: slot, fused: given.length - slot, absolute: score, score },
    explanation: [],
  }));
  const contents = given.map(({ content }, slot) => content ?? slot + 100);
  const found = { ...start.found, contents, parents: given.map(() => undefined) };
  const state = takeTop(applyThreshold({ ...start, found, candidates }));
  return { sure: state.candidates, unsure: chooseUnsure(state) };
}

const slots = (list: readonly { readonly slot: number }[]) => list.map(({ slot }) => slot);

test('one passage of each further document, in the order of the ranking, until three documents are shown', () => {
  const { sure, unsure } = chosen([
    { document: 7, score: 0.1 },
    { document: 1, score: 0.9 },
    { document: 1, score: 0.4 },
    { document: 7, score: 0.3 },
    { document: 8, score: 0.2 },
    { document: 9, score: 0.2 },
  ]);
  expect(slots(sure)).toEqual([1]);
  expect(slots(unsure)).toEqual([0, 4]);
});

test('a copy of what is shown is no further passage, and an empty text copies nothing', () => {
  const given = [
    { document: 1, score: 0.9, content: 5 },
    { document: 2, score: 0.4, content: 5 },
    { document: 3, score: 0.3, content: 0 },
    { document: 4, score: 0.2, content: 0 },
  ];
  expect(slots(chosen(given).unsure)).toEqual([2, 3]);
});

test('none where sure ones are enough, and none where none are asked for', () => {
  const given = [1, 2, 3, 4].map((document) => ({ document, score: document === 4 ? 0 : 1 }));
  expect(chosen(given).unsure).toEqual([]);
  expect(chosen([{ document: 1, score: 0 }], { minDocuments: 0 }).unsure).toEqual([]);
});

test('never a document twice, never a rising confidence, never more than `topN`, and as many as there are', () => {
  const given = fc.record({ document: fc.nat(6), score: fc.double({ min: 0, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(
      fc.array(given, { maxLength: 20 }),
      fc.nat(4),
      fc.integer({ min: 1, max: 6 }),
      (candidates, minDocuments, topN) => {
        const { sure, unsure } = chosen(candidates, { minDocuments, topN });
        const shown = new Set(sure.map(({ document }) => document));
        const below = unsure.map(({ document }) => document);
        expect(new Set([...shown, ...below]).size).toBe(shown.size + below.length);
        const all = new Set(candidates.map(({ document }) => document)).size;
        const further = Math.min(minDocuments, all) - shown.size;
        expect(below.length).toBe(Math.max(0, Math.min(further, topN - sure.length)));
        const scores = unsure.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      },
    ),
  );
});
