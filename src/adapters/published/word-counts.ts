/** Counts the passages or documents that hold a word: the list of words has most counts, and the engine computes the others. */
import { inverseUnitFrequency } from '../../core/indexes/bm25f.ts';
import type { CollectionStatistics, PostingsTerm } from '../../core/indexes/postings.ts';
import { DOCUMENTS, narrowed, PASSAGES } from './conditions.ts';
import type { EditionReader } from './engine.ts';
import { dimensionOf, type PublishedState, type Weights, type WordLane } from './format.ts';
import type { WordList } from './word-list.ts';

export type SearchedLane = Exclude<WordLane, 'named'>;

/** A term of the query, with the words that a lane searches for it. */
export interface AskedTerm {
  readonly words: readonly string[];
  readonly query: PostingsTerm;
}

/** Max counts that are kept in memory. They are valid for one published generation. */
const MAX_COUNTS = 20_000;

const UNITS = { keyword: 'passages', code: 'code', document: 'documents', title: 'documents' } as const;

export type WordCounts = ReturnType<typeof createWordCounts>;

export function createWordCounts(reader: EditionReader, state: PublishedState, list: WordList) {
  const counts = new Map<string, number>();
  const keyOf = (lane: WordLane, words: readonly string[]) => JSON.stringify([lane, ...words]);
  /** Returns the lane that lists a term. If the term names a field, `keyword` becomes `named`, and `document` becomes `title`. */
  const heldIn = (lane: SearchedLane, { field }: Pick<PostingsTerm, 'field'>): WordLane =>
    field === undefined ? lane : lane === 'keyword' ? 'named' : lane === 'document' ? 'title' : lane;

  function countOf(lane: WordLane, words: readonly string[]): number | undefined {
    const listed = lane === 'keyword' ? list.passages : lane === 'document' ? list.documents : undefined;
    if (listed && words.length === 1) return listed.countOf(words[0]!);
    return counts.get(keyOf(lane, words));
  }

  async function count(wanted: readonly (readonly [WordLane, readonly string[]])[]): Promise<void> {
    if (wanted.length === 0) return;
    const selections = wanted.map(([lane, words]) => {
      const where = lane === 'document' || lane === 'title' ? DOCUMENTS : PASSAGES;
      return narrowed(where, [{ lane, holds: words.map(dimensionOf) }]);
    });
    const found = await reader.counts(selections);
    if (counts.size >= MAX_COUNTS) counts.clear();
    for (const [place, [lane, words]] of wanted.entries()) counts.set(keyOf(lane, words), found[place]!);
  }

  return {
    /** Returns the idf of a word in whole documents. */
    idfInDocuments: (term: string) =>
      inverseUnitFrequency(state.documents.count, list.documents.countOf(term)),

    /** Starts the counting for one request: `statistics` record which counts are missing, and `fill` gets them. */
    round() {
      const missing = new Map<string, readonly [WordLane, readonly string[]]>();
      const asked: Record<SearchedLane, AskedTerm[]> = { keyword: [], code: [], document: [], title: [] };
      const terms = new Set<string>();

      const statisticsOf = (
        laneOf: (weights: readonly number[]) => SearchedLane,
        { expandPrefix }: WordList['passages'],
      ): CollectionStatistics => ({
        ...state[UNITS[laneOf([1, 1])]],
        unitsWith(words, query, weights) {
          const lane = laneOf(weights);
          asked[lane].push({ words, query });
          for (const word of words) terms.add(word);
          const held = heldIn(lane, query);
          const known = countOf(held, words);
          if (known === undefined) missing.set(keyOf(held, words), [held, words]);
          return known ?? 0;
        },
        expandPrefix,
      });

      return {
        statistics: {
          keyword: statisticsOf(() => 'keyword', list.passages),
          code: statisticsOf(() => 'code', list.passages),
          // If the text has the weight 0, only names are searched.
          documents: statisticsOf(([, text]) => (text === 0 ? 'title' : 'document'), list.documents),
        },
        asked,
        terms,
        fill: () => count([...missing.values()]),
      };
    },

    /** Returns the weight of each word of the query. The score of a unit is the dot product with the unit's weights. */
    weightsOf(lane: SearchedLane, asked: readonly AskedTerm[]): Weights {
      const weights: Partial<Record<WordLane, Map<number, number>>> = {};
      for (const { words, query } of asked) {
        const { count: times = 1, weight, spellings } = query;
        const held = heldIn(lane, query);
        const idf = inverseUnitFrequency(state[UNITS[lane]].count, countOf(held, words) ?? 0);
        const named = lane === 'keyword' ? held : lane;
        const own = weights[named] ?? new Map<number, number>();
        weights[named] = own;
        for (const word of words) {
          const at = dimensionOf(word);
          own.set(at, (own.get(at) ?? 0) + times * (weight ?? spellings?.share ?? 1) * idf);
        }
      }
      return weights;
    },
  };
}
