/** What the documents around the candidates add to a search. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/core/indexes/catalog.ts';
import type { Ranking } from '../../../src/core/indexes/retriever.ts';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import {
  createEmbeddedRetrieval,
  type EmbeddedParts,
} from '../../../src/core/retrieval/embedded-retrieval.ts';
import type { RetrievalRequest } from '../../../src/core/retrieval/retrieval.ts';
import { explainLinks, followLinks } from '../../../src/core/search/follow-links.ts';
import { initialState, type SearchState } from '../../../src/core/search/state.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../../src/engine/config/settings.ts';
import { checkExplanation } from '../../support/check-explanation.ts';
import { askedOf, rankingsOf } from '../../support/found.ts';

/** Documents from 1 on with two chunks each: document n has the slots 10n and 10n + 1. */
function catalogOf(documents: number) {
  const catalog = createCatalog();
  for (let number = 1; number <= documents; number += 1) {
    const slots = [10 * number, 10 * number + 1];
    const path = `${number}.md`;
    catalog.addDocument(
      { number, id: `c/${path}`, collection: 'c', path, title: path, tags: [], modified: 0, frontMatter: {} },
      slots.map((slot) => ({ slot, id: String(slot).padStart(13, '0'), languages: [], content: slot })),
    );
  }
  return catalog;
}

/** Scores by slot, and the slots found by them. */
type Lane = readonly [scores: Readonly<Record<number, number>>, shown: readonly number[]];

interface Searched {
  readonly semantic?: Lane | undefined;
  readonly keyword?: Lane | undefined;
  readonly links: readonly (readonly [number, number])[];
  readonly mask?: Uint8Array | undefined;
  readonly documents?: number;
}

function rankingOf(lane: 'semantic' | 'keyword', [scores, shown]: Lane, mask?: Uint8Array): Ranking {
  const scoreOf = (slot: number) => scores[slot] ?? 0;
  return {
    lane,
    entries: shown.filter((slot) => mask?.[slot] !== 0).map((slot) => ({ slot, score: scoreOf(slot) })),
    best: Math.max(0, ...shown.map(scoreOf)),
    scoreOf,
  };
}

/** The state after `retrieve`, where each index found what is given, and after `graph`. */
async function follow(
  { semantic, keyword, links, mask, documents = 4 }: Searched,
  settings: Partial<SearchSettings> = {},
  topN = 5,
) {
  const neighbours = (number: number) =>
    new Map(
      links.flatMap(([a, b]) => (a === number ? [[b, 1]] : b === number ? [[a, 1]] : [])) as [
        number,
        number,
      ][],
    );
  const retrieval = createEmbeddedRetrieval({
    catalog: catalogOf(documents),
    semantic: { search: () => rankingOf('semantic', semantic!, mask) },
    keyword: {
      search: () => rankingOf('keyword', keyword!, mask),
      constraintMask: () => ({ relaxed: false, ...(mask && { mask }) }),
    },
    links: () => ({ neighbours }),
  } as unknown as EmbeddedParts);
  const start = initialState({
    query: parseQuery('x'),
    mode: 'hybrid',
    topN,
    minConfidence: 0,
    filters: {},
    explain: true,
    parents: false,
    now: 0,
    settings: { ...toSearchSettings(settingsSchema.parse({})), graphWeight: 0.5, ...settings },
  });
  const { query, filters } = start.request;
  const asked: RetrievalRequest = {
    ...{ query, filters, depth: 200, vector: Float32Array.of(1) },
    lanes: [...(semantic ? (['semantic'] as const) : []), ...(keyword ? (['keyword'] as const) : [])],
  };
  const weights = { fusion: { semantic: 0.5, keyword: 0.28 }, absolute: { semantic: 1 } };
  const before = { ...start, weights, asked, found: await retrieval.retrieve(asked) };
  const after = await followLinks(before, askedOf(retrieval));
  const graph = rankingsOf(after.found).find(({ lane }) => lane === 'graph');
  return { before, after, graph };
}

const documentsOf = (graph: { readonly entries: readonly { readonly slot: number }[] } | undefined) =>
  graph?.entries.map(({ slot }) => Math.floor(slot / 10));

/** The score of a slot by links; 0 for one that is no candidate. */
function scoreIn({ found }: SearchState, slot: number): number {
  return found.lanes.graph?.scores[found.slots.indexOf(slot)] ?? 0;
}

describe('followLinks', () => {
  const semantic: Lane = [{ 10: 0.9, 20: 0.8, 30: 0.1, 31: 0.6 }, [10, 20]];
  const keyword: Lane = [{ 10: 5 }, [10]];

  it('adds a linked document by the chunk that answers this query best', async () => {
    const { after, graph } = await follow({ semantic, keyword, links: [[1, 3]] });
    // First by meaning and by words: 1/11 + 1/11; both ends have one link.
    expect(graph).toMatchObject({ lane: 'graph', entries: [{ slot: 31, score: 2 / 11 }] });
    expect(after.weights.fusion.graph).toBeCloseTo(0.1);
    expect(after.weights.absolute).toEqual({ semantic: 1 });
    // It has its score in the other lanes, too.
    expect(after.found.lanes.semantic?.scores[after.found.slots.indexOf(31)]).toBe(0.6);
  });

  it('gives every chunk of a linked candidate the score of its document', async () => {
    const scores: Lane = [{ 10: 0.9, 20: 0.8, 21: 0.7, 30: 0.1 }, [10, 20, 21, 30]];
    const { after } = await follow({ semantic: scores, links: [[1, 2]] });
    expect([20, 21, 10, 30].map((slot) => scoreIn(after, slot))).toEqual([1 / 11, 1 / 11, 1 / 12, 0]);
  });

  it('stays inside the filters', async () => {
    const mask = new Uint8Array(50);
    mask[10] = mask[30] = 1;
    const links = [
      [1, 3],
      [1, 4],
    ] as const;
    const { graph } = await follow({ semantic, mask, links });
    expect(graph?.entries.map(({ slot }) => slot)).toEqual([30]);
  });

  it('goes no way through a document outside the filters', async () => {
    const mask = new Uint8Array(50);
    mask[10] = mask[40] = 1;
    const links = [
      [1, 3],
      [3, 4],
    ] as const;
    const deep = { graphDepth: 2 };
    const free = await follow({ keyword, links }, deep);
    expect(free.graph?.entries.map(({ slot }) => slot)).toEqual([30, 40]);
    const { after } = await follow({ keyword, links, mask }, deep);
    expect(rankingsOf(after.found).map(({ lane }) => lane)).toEqual(['keyword']);
  });

  it('takes as many documents as are asked for from those inside the filters', async () => {
    const mask = new Uint8Array(50);
    mask[10] = mask[40] = 1;
    const links = [
      [1, 2],
      [1, 3],
      [1, 4],
    ] as const;
    // Of three neighbours with equal votes the last is the only one allowed; two are asked for.
    const { graph } = await follow({ keyword, mask, links }, { candidates: 1 }, 1);
    expect(graph?.entries.map(({ slot }) => slot)).toEqual([40]);
  });

  it('takes the first documents by id of those with equal votes', async () => {
    const links = [4, 3, 2].map((document) => [1, document] as const);
    const { graph } = await follow({ keyword, links }, { candidates: 1 }, 1);
    expect(documentsOf(graph)).toEqual([2, 3]);
  });

  it('follows as many links as asked', async () => {
    const links = [
      [1, 2],
      [2, 3],
      [3, 4],
    ] as const;
    const found = async (graphDepth: number) =>
      documentsOf((await follow({ keyword, links }, { graphDepth })).graph);
    expect(await Promise.all([1, 2, 3].map(found))).toEqual([[2], [2, 3], [2, 3, 4]]);
  });

  it('says which documents a score came from', async () => {
    const links = [
      [1, 3],
      [2, 3],
    ] as const;
    const { after } = await follow({ semantic, links });
    const explained = explainLinks(3, after.walk!);
    expect(explained.value).toBeCloseTo((1 / 11 + 1 / 12) / Math.SQRT2, 12);
    expect(explained.parts?.map(({ label }) => label)).toEqual(['link with c/1.md', 'link with c/2.md']);
    const sum = explained.parts!.reduce((total, { value }) => total + value, 0);
    expect(sum).toBeCloseTo(explained.value, 12);
  });

  it.each([
    ['switched off', { graphWeight: 0 }, [[1, 3]]],
    ['no links', {}, []],
  ] as const)('changes nothing: %s', async (_, settings, links) => {
    const { before, after } = await follow({ semantic, keyword, links }, settings);
    expect(after).toBe(before);
  });

  it('has the whole weight of a ranking under rrf', async () => {
    const { after } = await follow({ semantic, links: [[1, 3]] }, { fusion: 'rrf' });
    expect(after.weights.fusion.graph).toBe(0.5);
  });

  it('whatever is linked: allowed chunks of linked documents, one each, best first, by votes that add up', async () => {
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
    await fc.assert(
      fc.asyncProperty(
        scores,
        scores,
        edges,
        mask,
        number,
        async (meaning, words, drawn, allowed, candidates) => {
          const links = drawn.filter(([a, b]) => a !== b);
          const searched: Searched = {
            semantic: [meaning, shown(meaning)],
            keyword: [words, shown(words)],
            ...{ links, mask: allowed, documents: 8 },
          };
          const { before, after, graph } = await follow(searched, { candidates }, 1);
          expect(after.weights.absolute).toEqual(before.weights.absolute);
          const rankings = rankingsOf(before.found);
          expect(rankingsOf(after.found).slice(0, rankings.length)).toEqual(rankings);
          if (graph === undefined) return;
          const found = documentsOf(graph)!;
          expect(new Set(found).size).toBe(found.length);
          expect(found.length).toBeLessThanOrEqual(Math.max(2, candidates));
          const seeds = new Set(rankings.flatMap((ranking) => documentsOf(ranking)!));
          const lanes = [
            [meaning, rankings.find(({ lane }) => lane === 'semantic')],
            [words, rankings.find(({ lane }) => lane === 'keyword')],
          ] as const;
          for (const [place, { slot, score }] of graph.entries.entries()) {
            const document = Math.floor(slot / 10);
            expect(
              links.some(([a, b]) => (a === document && seeds.has(b)) || (b === document && seeds.has(a))),
            ).toBe(true);
            expect(allowed?.[slot] ?? 1).toBe(1);
            expect(score).toBe(scoreIn(after, slot));
            expect(score).toBeGreaterThan(0);
            expect(score).toBeLessThanOrEqual(
              graph.entries[place - 1]?.score ?? after.found.lanes.graph!.best,
            );
            expect(checkExplanation(explainLinks(document, after.walk!), {}, 'graph')).toEqual([]);
            // Its other chunk is not allowed, or answers no better.
            const other = slot % 10 === 0 ? slot + 1 : slot - 1;
            const answers = (of: number) =>
              lanes.reduce((sum, [by, ranking]) => {
                return sum + (ranking ? (by[of] ?? 0) / (ranking.entries[0]?.score || 1) : 0);
              }, 0);
            if ((allowed?.[other] ?? 1) === 1)
              expect(answers(other)).toBeLessThanOrEqual(answers(slot) + 1e-12);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
