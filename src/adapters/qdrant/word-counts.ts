/** Counts in how many passages or documents words occur, and finds the words of a prefix. */

import { inverseUnitFrequency } from '../../core/indexes/bm25f.ts';
import type { CollectionStatistics, PostingsTerm } from '../../core/indexes/postings.ts';
import type { QdrantConnection } from './client.ts';
import { isAnyOf, isKind, toFilter } from './conditions.ts';
import {
  dimensionOf,
  type PublishedState,
  type SparseName,
  titleDimension,
  type WordPayload,
} from './schema.ts';

/** The words of one term of a query, as one of the sparse vectors is asked for them. */
export interface AskedTerm {
  readonly words: readonly string[];
  readonly query: PostingsTerm;
}

/** Words that a prefix stands for. */
const MAX_WORDS = 64;
/** Words as written that are read to find them. */
const MAX_SURFACES = 1_024;
/** Counts kept; they are valid as long as the published generation. */
const MAX_COUNTS = 20_000;

const UNITS = { keyword: 'passages', code: 'code', document: 'documents', title: 'documents' } as const;

export type WordCounts = ReturnType<typeof createWordCounts>;

export function createWordCounts({ call }: QdrantConnection, state: PublishedState) {
  const { collection: name } = state;
  const counts = new Map<string, number>();
  const expansions = new Map<string, readonly string[]>();

  const keyOf = (lane: SparseName, words: readonly string[], inNames: boolean) =>
    JSON.stringify([lane, inNames, ...words]);

  async function count(lane: SparseName, words: readonly string[], inNames: boolean): Promise<void> {
    const key = keyOf(lane, words, inNames);
    if (counts.has(key)) return;
    const field = lane === 'code' ? 'codeWords' : inNames ? 'nameWords' : 'words';
    const kind = isKind(lane === 'document' || lane === 'title' ? 'document' : 'passage');
    const filter = toFilter({ must: [kind, isAnyOf(field, words.map(dimensionOf))], must_not: [] });
    const found = await call((client) => client.count(name, { filter, exact: true }));
    if (counts.size >= MAX_COUNTS) counts.clear();
    counts.set(key, found.count);
  }

  async function expand(prefix: string): Promise<void> {
    if (expansions.has(prefix)) return;
    const filter = toFilter({
      must: [isKind('word'), { key: 'surface', match: { text: prefix } }],
      must_not: [],
    });
    const asked = { filter, limit: MAX_SURFACES, with_payload: ['surface', 'term'] };
    const { points } = await call((client) => client.scroll(name, asked));
    const found = points.map(({ payload }) => payload as unknown as WordPayload);
    const terms = new Set(found.filter(({ surface }) => surface.startsWith(prefix)).map(({ term }) => term));
    if (expansions.size >= MAX_COUNTS) expansions.clear();
    expansions.set(prefix, [...terms].sort().slice(0, MAX_WORDS));
  }

  return {
    expand: (prefixes: Iterable<string>) => Promise.all([...new Set(prefixes)].map(expand)),
    wordsOf: (prefix: string): readonly string[] => expansions.get(prefix) ?? [],
    /** Returns the idf of a word in whole documents. It must have been asked for. */
    idfInDocuments: (term: string) =>
      inverseUnitFrequency(state.documents.count, counts.get(keyOf('document', [term], false)) ?? 0),

    /** Starts a round: statistics that note which counts are missing. */
    round() {
      const missing = new Map<string, Parameters<typeof count>>();
      const asked: Record<SparseName, AskedTerm[]> = { keyword: [], code: [], document: [], title: [] };
      const terms = new Set<string>();

      function note(lane: SparseName, words: readonly string[], inNames: boolean): number {
        for (const word of words) terms.add(word);
        const key = keyOf(lane, words, inNames);
        if (!counts.has(key)) missing.set(key, [lane, words, inNames]);
        return counts.get(key) ?? 0;
      }

      const statisticsOf = (laneOf: (weights: readonly number[]) => SparseName): CollectionStatistics => ({
        ...state[UNITS[laneOf([1, 1])]],
        unitsWith(words, query, weights) {
          const lane = laneOf(weights);
          asked[lane].push({ words, query });
          return note(lane, words, lane === 'title' || query.field !== undefined);
        },
        expandPrefix: (prefix) => expansions.get(prefix) ?? [],
      });

      return {
        statistics: {
          keyword: statisticsOf(() => 'keyword'),
          code: statisticsOf(() => 'code'),
          // A search of names leaves the text out.
          documents: statisticsOf(([, text]) => (text === 0 ? 'title' : 'document')),
        },
        /** Notes a word whose idf in whole documents is needed. */
        noteWord: (term: string) => void note('document', [term], false),
        asked,
        terms,
        /** Asks for what is missing. */
        fill: () => Promise.all([...missing.values()].map((each) => count(...each))),
      };
    },

    /** Returns the query of a sparse vector: its product with that of a point is the score of the lane. */
    sparseQuery(lane: SparseName, asked: readonly AskedTerm[]) {
      const weights = new Map<number, number>();
      for (const { words, query } of asked) {
        const { count: times = 1, weight, spellings, field } = query;
        const inNames = lane === 'title' || field !== undefined;
        const held = counts.get(keyOf(lane, words, inNames)) ?? 0;
        const idf = inverseUnitFrequency(state[UNITS[lane]].count, held);
        const dimension = lane === 'keyword' && inNames ? titleDimension : dimensionOf;
        for (const word of words) {
          const at = dimension(word);
          weights.set(at, (weights.get(at) ?? 0) + times * (weight ?? spellings?.share ?? 1) * idf);
        }
      }
      return { indices: [...weights.keys()], values: [...weights.values()] };
    },
  };
}
