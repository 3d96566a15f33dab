import { expect, test } from 'vitest';
import { createReach, REACH } from '../../../src/core/search/reach.ts';
import type { Candidate, SearchRequest } from '../../../src/core/search/state.ts';

const request = (topN: number, settings: Partial<SearchRequest['settings']> = {}) =>
  ({ topN, settings: { mmrEnabled: false, maxChunksPerDoc: 2, ...settings } }) as SearchRequest;
const candidates = (documents: readonly number[]) => documents.map((document) => ({ document }) as Candidate);

/** How many survivors are seen before it is enough. */
function depth(asked: SearchRequest, documents: readonly number[]): number {
  const isEnough = createReach(asked, candidates(documents));
  const enough = documents.findIndex((_, index) => isEnough(index));
  return enough < 0 ? documents.length : enough + 1;
}

const each = Array.from({ length: 500 }, (_, index) => index);
const long = [...Array.from({ length: 200 }, () => -1), ...each];

test('looks ten places further than the answer reaches, and MMR always equally far', () => {
  expect(depth(request(1), each)).toBe(11);
  expect(depth(request(20), each)).toBe(30);
  expect(depth(request(1, { mmrEnabled: true }), each)).toBe(REACH);
  expect(depth(request(100), each)).toBe(110);
});

test('passages beyond the limit of their document fill no place', () => {
  expect(depth(request(5), long)).toBe(200 + 15 - 2);
  expect(depth(request(5, { maxChunksPerDoc: 0 }), long)).toBe(15);
  expect(depth(request(5, { mmrEnabled: true }), long)).toBe(REACH);
});

test('what is reranked has no duplicates either', () => {
  expect(depth(request(5, { rerankEnabled: true, rerankTopN: 60 }), each)).toBe(60);
});
