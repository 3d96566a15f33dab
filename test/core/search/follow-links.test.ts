/** What the documents around the candidates add to a search. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/core/indexes/catalog.ts';
import type { Ranking } from '../../../src/core/model/hit.ts';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { followLinks } from '../../../src/core/search/follow-links.ts';
import { initialState, type SearchServices, type SearchState } from '../../../src/core/search/state.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../../src/engine/config/settings.ts';
import { checkExplanation } from '../../support/check-explanation.ts';

/** Documents from 1 on with two chunks each: document n has the slots 10n and 10n + 1. */
function catalogOf(documents: number) {
  const catalog = createCatalog();
  for (let number = 1; number <= documents; number += 1) {
    const slots = [10 * number, 10 * number + 1];
    const path = `${number}.md`;
    catalog.addDocument(
      { number, id: `c/${path}`, collection: 'c', path, title: path, tags: [], modified: 0, frontMatter: {} },
      slots.map((slot) => ({ slot, id: `chunk-${slot}`, languages: [], content: slot })),
    );
  }
  return catalog;
}

function ranking(
  lane: 'semantic' | 'keyword',
  scores: Readonly<Record<number, number>>,
  shown: readonly number[],
): Ranking {
  const scoreOf = (slot: number) => scores[slot] ?? 0;
  return {
    lane,
    entries: shown.map((slot) => ({ slot, score: scoreOf(slot) })),
    best: Math.max(0, ...shown.map(scoreOf)),
    scoreOf,
  };
}

function stateOf(settings: Partial<SearchSettings> = {}, more: Partial<SearchState> = {}): SearchState {
  const start = initialState({
    query: parseQuery('x'),
    mode: 'hybrid',
    topN: 5,
    minConfidence: 0,
    filters: {},
    explain: true,
    parents: false,
    now: 0,
    settings: { ...toSearchSettings(settingsSchema.parse({})), graphWeight: 0.5, ...settings },
  });
  const weights = { fusion: { semantic: 0.5, keyword: 0.28 }, evidence: { semantic: 1 } };
  return { ...start, weights, ...more };
}

function servicesOf(edges: readonly (readonly [number, number])[], documents = 4): SearchServices {
  const neighbours = (number: number) =>
    new Map(
      edges.flatMap(([a, b]) => (a === number ? [[b, 1]] : b === number ? [[a, 1]] : [])) as [
        number,
        number,
      ][],
    );
  return {
    catalog: catalogOf(documents),
    links: () => ({ neighbours }),
  } as Partial<SearchServices> as SearchServices;
}

describe('followLinks', () => {
  const semantic = ranking('semantic', { 10: 0.9, 20: 0.8, 30: 0.1, 31: 0.6 }, [10, 20]);
  const keyword = ranking('keyword', { 10: 5 }, [10]);

  it('adds a linked document by the chunk that answers this query best', () => {
    const state = followLinks(stateOf({}, { rankings: [semantic, keyword] }), servicesOf([[1, 3]]));
    const graph = state.rankings.at(-1)!;
    // First by meaning and by words: 1/11 + 1/11; both ends have one link.
    expect(graph).toMatchObject({ lane: 'graph', entries: [{ slot: 31, score: 2 / 11 }] });
    expect(state.weights.fusion.graph).toBeCloseTo(0.1);
    expect(state.weights.evidence).toEqual({ semantic: 1 });
  });

  it('gives every chunk of a linked candidate the score of its document', () => {
    const state = followLinks(stateOf({}, { rankings: [semantic] }), servicesOf([[1, 2]]));
    const graph = state.rankings.at(-1)!;
    expect([20, 21, 10, 30].map(graph.scoreOf)).toEqual([1 / 11, 1 / 11, 1 / 12, 0]);
  });

  it('stays inside the filters', () => {
    const mask = new Uint8Array(50);
    mask[10] = mask[30] = 1;
    const state = followLinks(
      stateOf({}, { rankings: [semantic], mask }),
      servicesOf([
        [1, 3],
        [1, 4],
      ]),
    );
    expect(state.rankings.at(-1)!.entries.map(({ slot }) => slot)).toEqual([30]);
  });

  it('goes no way through a document outside the filters', () => {
    const mask = new Uint8Array(50);
    mask[10] = mask[40] = 1;
    const chain = servicesOf([
      [1, 3],
      [3, 4],
    ]);
    const deep = (more: Partial<SearchState>) =>
      followLinks(stateOf({ graphDepth: 2 }, { rankings: [keyword], ...more }), chain).rankings;
    expect(
      deep({})
        .at(-1)!
        .entries.map(({ slot }) => slot),
    ).toEqual([30, 40]);
    expect(deep({ mask }).map(({ lane }) => lane)).toEqual(['keyword']);
  });

  it('takes as many documents as are asked for from those inside the filters', () => {
    const mask = new Uint8Array(50);
    mask[10] = mask[40] = 1;
    const few = stateOf({ candidates: 1 }, { rankings: [keyword], mask });
    const services = servicesOf([
      [1, 2],
      [1, 3],
      [1, 4],
    ]);
    const { rankings } = followLinks({ ...few, request: { ...few.request, topN: 1 } }, services);
    // Of three neighbours with equal votes the last is the only one allowed; two are asked for.
    expect(rankings.at(-1)!.entries.map(({ slot }) => slot)).toEqual([40]);
  });

  it('follows as many links as asked', () => {
    const found = (graphDepth: number) =>
      followLinks(
        stateOf({ graphDepth }, { rankings: [keyword] }),
        servicesOf([
          [1, 2],
          [2, 3],
          [3, 4],
        ]),
      )
        .rankings.at(-1)!
        .entries.map(({ slot }) => Math.floor(slot / 10));
    expect([1, 2, 3].map(found)).toEqual([[2], [2, 3], [2, 3, 4]]);
  });

  it('says which documents a score came from', () => {
    const state = followLinks(
      stateOf({}, { rankings: [semantic] }),
      servicesOf([
        [1, 3],
        [2, 3],
      ]),
    );
    const explained = state.rankings.at(-1)!.explain!(31);
    expect(explained.value).toBeCloseTo((1 / 11 + 1 / 12) / Math.SQRT2, 12);
    expect(explained.parts?.map(({ label }) => label)).toEqual(['link with c/1.md', 'link with c/2.md']);
    const sum = explained.parts!.reduce((total, { value }) => total + value, 0);
    expect(sum).toBeCloseTo(explained.value, 12);
  });

  it.each([
    ['switched off', { graphWeight: 0 }, [[1, 3]]],
    ['no links', {}, []],
  ] as const)('changes nothing: %s', (_, settings, edges) => {
    const state = stateOf(settings, { rankings: [semantic, keyword] });
    expect(followLinks(state, servicesOf(edges))).toBe(state);
  });

  it('has the whole weight of a ranking under rrf', () => {
    const state = stateOf({ fusion: 'rrf' }, { rankings: [semantic] });
    expect(followLinks(state, servicesOf([[1, 3]])).weights.fusion.graph).toBe(0.5);
  });

  it('whatever is linked: allowed chunks of linked documents, one each, best first, by votes that add up', () => {
    const number = fc.integer({ min: 1, max: 8 });
    const scores = fc.dictionary(
      fc.tuple(number, fc.nat(1)).map(([document, chunk]) => String(10 * document + chunk)),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
    ) as fc.Arbitrary<Record<number, number>>;
    const shown = (by: Readonly<Record<number, number>>) =>
      Object.keys(by)
        .map(Number)
        .sort((a, b) => by[b]! - by[a]! || a - b);
    const mask = fc.option(fc.uint8Array({ minLength: 90, maxLength: 90, max: 1 }), { nil: undefined });
    const edges = fc.array(fc.tuple(number, number), { maxLength: 12 });
    fc.assert(
      fc.property(scores, scores, edges, mask, number, (meaning, words, links, allowed, candidates) => {
        const rankings = [
          ranking('semantic', meaning, shown(meaning)),
          ranking('keyword', words, shown(words)),
        ];
        const services = servicesOf(
          links.filter(([a, b]) => a !== b),
          8,
        );
        const start = stateOf({ candidates }, { rankings, mask: allowed });
        const state = followLinks({ ...start, request: { ...start.request, topN: 1 } }, services);
        expect(state.weights.evidence).toEqual(start.weights.evidence);
        expect(state.rankings.slice(0, 2)).toEqual(rankings);
        const graph = state.rankings[2];
        if (graph === undefined) return;
        const found = graph.entries.map(({ slot }) => Math.floor(slot / 10));
        expect(new Set(found).size).toBe(found.length);
        expect(found.length).toBeLessThanOrEqual(Math.max(2, candidates));
        const seeds = new Set(
          rankings.flatMap(({ entries }) => entries).map(({ slot }) => Math.floor(slot / 10)),
        );
        for (const [place, { slot, score }] of graph.entries.entries()) {
          const document = Math.floor(slot / 10);
          expect(
            links.some(([a, b]) => (a === document && seeds.has(b)) || (b === document && seeds.has(a))),
          ).toBe(true);
          expect(allowed?.[slot] ?? 1).toBe(1);
          expect(score).toBe(graph.scoreOf(slot));
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(graph.entries[place - 1]?.score ?? graph.best);
          expect(checkExplanation(graph.explain!(slot), {}, 'graph')).toEqual([]);
          // Its other chunk is not allowed, or answers no better.
          const other = slot % 10 === 0 ? slot + 1 : slot - 1;
          const answers = (of: number) =>
            rankings.reduce((sum, { scoreOf, best }) => sum + scoreOf(of) / (best || 1), 0);
          if ((allowed?.[other] ?? 1) === 1)
            expect(answers(other)).toBeLessThanOrEqual(answers(slot) + 1e-12);
        }
      }),
      { numRuns: 200 },
    );
  });
});
