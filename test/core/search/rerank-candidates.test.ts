import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { rerankCandidates } from '../../../src/core/search/rerank-candidates.ts';
import {
  type Candidate,
  initialState,
  type SearchRequest,
  type SearchServices,
} from '../../../src/core/search/state.ts';

type Settings = SearchRequest['settings'];

/** Chunks that hold nothing but the relevance they shall get. */
function services(relevances: readonly number[], seen: string[] = []): SearchServices {
  const chunks = (slots: readonly number[]) =>
    slots.map((slot) => ({ slot, headingPath: ['Title'], text: String(relevances[slot]) }));
  const rerank = async (query: string, passages: readonly string[]) => {
    seen.push(query, ...passages);
    return passages.map((passage) => Number(passage.split('\n\n')[1]));
  };
  return { retrieval: { chunks }, rerank } as unknown as SearchServices;
}

function stateOf(scores: readonly number[], settings: Partial<Settings>, more: Partial<SearchRequest> = {}) {
  const request = {
    query: parseQuery('tag:x the tides'),
    explain: false,
    settings: { rerankEnabled: true, rerankTopN: 3, rerankMode: 'replace', ...settings },
    ...more,
  } as SearchRequest;
  const candidates = scores.map((score, slot) => ({ slot, id: String(slot), score, explanation: [] }));
  return { ...initialState(request), candidates: candidates as unknown as Candidate[] };
}

const slots = (candidates: readonly Candidate[]) => candidates.map(({ slot }) => slot);

test('the first few change places, the confidences stay where they are, the rest is left alone', async () => {
  const state = stateOf([0.9, 0.8, 0.7, 0.6], {});
  const { candidates } = await rerankCandidates(state, services([0.1, 0.2, 0.3, 1]));
  expect(slots(candidates)).toEqual([2, 1, 0, 3]);
  expect(candidates.map(({ score }) => score)).toEqual([0.9, 0.8, 0.7, 0.6]);
});

test('is asked the question without its operators, with headings and text of each passage', async () => {
  const seen: string[] = [];
  await rerankCandidates(stateOf([0.9], {}), services([0.5], seen));
  expect(seen).toEqual(['the tides', 'Title\n\n0.5']);
});

test('is asked once, about all passages that take part, in their order', async () => {
  const calls: string[][] = [];
  const { rerank, ...rest } = services([0.1, 0.2, 0.3, 1]);
  const counting: SearchServices = {
    ...rest,
    rerank(query, passages, signal) {
      calls.push([query, ...passages]);
      return rerank!(query, passages, signal);
    },
  };
  await rerankCandidates(stateOf([0.9, 0.8, 0.7, 0.6], {}), counting);
  expect(calls).toEqual([['the tides', 'Title\n\n0.1', 'Title\n\n0.2', 'Title\n\n0.3']]);
});

test('is asked the hypothesis where there is no question', async () => {
  const seen: string[] = [];
  const state = stateOf([0.9], {}, { query: parseQuery(''), hypothesis: 'The moon does it.' });
  await rerankCandidates(state, services([0.5], seen));
  expect(seen[0]).toBe('The moon does it.');
});

test('nothing happens when it is off, when nothing was asked, or when nothing was found', async () => {
  const never = services([0, 1]);
  for (const state of [
    stateOf([0.9, 0.8], { rerankEnabled: false }),
    stateOf([0.9, 0.8], {}, { query: parseQuery('tag:x') }),
    stateOf([], {}),
  ]) {
    expect(await rerankCandidates(state, never)).toBe(state);
  }
});

test('the explanation lets a person redo the sum that won the place', async () => {
  const state = stateOf([0.9, 0.7], { rerankMode: 'blend' }, { explain: true });
  const { candidates } = await rerankCandidates(state, services([0.1, 0.8]));
  expect(slots(candidates)).toEqual([1, 0]);
  const [place] = candidates[0]!.explanation;
  expect(place).toMatchObject({ label: 'confidence of the new rank', value: 0.9 });
  const [sum, before] = place!.parts!;
  expect(sum!.value).toBeCloseTo(
    sum!.parts!.reduce((total, { value, weight }) => total + value * weight!, 0),
    12,
  );
  expect(sum!.value).toBeCloseTo(0.5 * 0.8 + 0.5 * 0.7, 12);
  expect(before).toEqual({ label: 'rank before reranking', value: 2 });
});

test('a longer list begins like a shorter one', async () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(unit, unit), { minLength: 3, maxLength: 12 }), async (pairs) => {
      const scores = pairs.map(([score]) => score).sort((a, b) => b - a);
      const all = services(pairs.map(([, relevance]) => relevance));
      const long = await rerankCandidates(stateOf(scores, { rerankMode: 'blend' }), all);
      const short = await rerankCandidates(stateOf(scores.slice(0, 3), { rerankMode: 'blend' }), all);
      expect(slots(long.candidates).slice(0, 3)).toEqual(slots(short.candidates));
      expect(long.candidates.map(({ score }) => score)).toEqual(scores);
    }),
  );
});
