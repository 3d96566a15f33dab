/** Scores all units of an index by BM25F, term by term, into one array of scores. */
import type { QueryTerm } from '../model/query.ts';
import { createArrayPool } from './arrays.ts';
import { type Bm25fField, inverseUnitFrequency, saturate } from './bm25f.ts';
import { expandPrefix } from './expand-prefix.ts';
import { createLiveSegments } from './live-segments.ts';
import { createMatches, type FieldNorms, type Matches } from './matches.ts';
import { findPhrase } from './phrase.ts';

/** A term to look for, for example a `QueryTerm`. Its `variants` are phrases: in an index without positions, they match nothing. */
export type PostingsTerm = Omit<QueryTerm, 'surface' | 'field'> & {
  /** Name of the only field to search; a field that the index does not have matches nothing. */
  readonly field?: string;
};

/** Scores of a query for all units; 0 for units that do not match or are not live. */
export interface Scores {
  /** By unit; long enough for the largest live unit. */
  readonly scores: Float64Array;
  /** By unit: sum of the idf of the query terms in the unit, each term once. A joined name counts as its parts. */
  readonly matchedIdf: Float64Array;
  /** By unit: idf that synonyms add. Each adds the idf of the words it stands for, times its weight. Absent without synonyms. */
  readonly addedIdf?: Float64Array;
  /** The sum of the idf of all typed terms. A term that occurs nowhere has the highest possible idf. */
  readonly totalIdf: number;
  /** Upper limit of the score that the typed terms can give: `Σ count · idf · (k1 + 1)`. */
  readonly bound: number;
  readonly terms: readonly ScoredTerm[];
  /** The field weights used. */
  readonly weights: readonly number[];
  /** Returns the arrays to the pool: do not read them afterwards. */
  readonly release: () => void;
}

export interface ScoredTerm {
  readonly query: PostingsTerm;
  /** The index terms searched: the term and its forms, the expansion of the prefix, or the corrected spellings. */
  readonly words: readonly string[];
  /** Number of live units that match. */
  readonly units: number;
  readonly idf: number;
}

/** Statistics of a whole collection, for an index that holds only some of its units. */
export interface CollectionStatistics {
  /** Number of units. */
  readonly count: number;
  /** Mean number of positions by field. */
  readonly averageLengths: readonly number[];
  /** Returns the number of units that hold one of `words` in a field of weight above 0. */
  unitsWith(words: readonly string[], query: PostingsTerm, weights: readonly number[]): number;
  /** Returns the terms of words that begin with a prefix. */
  expandPrefix(prefix: string): readonly string[];
}

interface PostingsOptions {
  /** Field `f` of the segments is `fields[f]`. */
  readonly fields: readonly Bm25fField[];
  readonly k1: number;
  /** @default the statistics of the live units */
  readonly statistics?: CollectionStatistics | undefined;
}

export type Postings = ReturnType<typeof createPostings>;

/**
 * Makes empty postings.
 *
 * Statistics are computed from exactly the live units, so scores and order do not depend on how units are distributed over
 * segments. A prefix is one term: its words count together, so a rare word with this prefix adds no high idf.
 */
export function createPostings({ fields, k1, statistics }: PostingsOptions) {
  const segments = createLiveSegments(fields.length);
  const ownWeights = fields.map((field) => field.weight);
  const matches = createMatches();
  const pool = createArrayPool((length) => new Float64Array(length));

  /** Returns the mean number of positions of a field per live unit; 0 without live units. */
  function averageLength(field: number): number {
    if (statistics) return statistics.averageLengths[field]!;
    return segments.count === 0 ? 0 : segments.totalLengths[field]! / segments.count;
  }

  /** @param only name of the only field to search; undefined searches all fields */
  function normsOf(only: string | undefined, weights: readonly number[]): FieldNorms {
    const lengths = fields.map((_, field) => averageLength(field));
    return {
      weight: Float64Array.from(fields, ({ name }, f) =>
        only === undefined || only === name ? weights[f]! : 0,
      ),
      base: Float64Array.from(fields, ({ b }) => 1 - b),
      slope: Float64Array.from(lengths, (average, f) => (average > 0 ? fields[f]!.b / average : 0)),
    };
  }

  /**
   * Collects the live units that hold any of the words or phrases, with their weighted frequencies.
   * @returns how many units outside the segments hold one of the words
   */
  function collect(words: readonly string[], { variants = [] }: PostingsTerm, norms: FieldNorms): number {
    matches.clear();
    let absent = 0;
    for (const word of words) {
      const from = matches.count;
      for (const owner of segments.all) {
        const term = owner.find(word);
        if (term < 0) continue;
        matches.addTerm(owner, term, norms);
        absent += owner.segment.absent?.[term] ?? 0;
      }
      if (from > 0) matches.combine(segments.limit);
    }
    for (const phrase of variants) {
      for (const owner of segments.all) matches.addEntries(owner, findPhrase(owner, phrase), norms);
      matches.combine(segments.limit);
    }
    return absent;
  }

  const unitCount = () => statistics?.count ?? segments.count;

  function wordsOf({ term, prefix, forms = [], spellings }: PostingsTerm): readonly string[] {
    if (spellings) return spellings.terms;
    if (!prefix) return [term, ...forms].map((word) => word.toWellFormed());
    const beginning = term.toWellFormed();
    return statistics?.expandPrefix(beginning) ?? expandPrefix(segments, beginning);
  }

  return {
    fields,
    k1,
    unitCount,
    /** The segments scored. Add and remove units here. */
    segments,
    averageLength,

    /** @param weights one per field, in place of the weights in `fields`; a field of weight 0 is not searched */
    score(terms: readonly PostingsTerm[], weights: readonly number[] = ownWeights): Scores {
      const scores = pool.take(segments.limit);
      const matchedIdf = pool.take(segments.limit);
      let addedIdf: typeof scores | undefined;
      const parts = findParts(terms, segments.limit);
      const anywhere = normsOf(undefined, weights);
      const idfOf = new Map<string, number>();
      const scored: ScoredTerm[] = [];
      let totalIdf = 0;
      let bound = 0;
      for (const query of terms) {
        const words = wordsOf(query);
        const norms = query.field === undefined ? anywhere : normsOf(query.field, weights);
        const found = collect(words, query, norms) + matches.count;
        // `statistics` does not count phrases. Phrases are counted only in the units of this index.
        const units = Math.max(found, statistics?.unitsWith(words, query, weights) ?? 0);
        const idf = inverseUnitFrequency(unitCount(), units);
        const { count = 1, weight, standsFor, spellings } = query;
        const share = weight ?? spellings?.share ?? 1;
        const factor = count * idf * share;
        if (standsFor && weight === undefined) {
          addScores(matches, factor, k1, scores);
          for (const part of new Set(standsFor)) {
            addWhereFresh(matchedIdf, matches, idfOf.get(part) ?? 0, parts.get(part)!);
          }
        } else if (standsFor) {
          addedIdf ??= pool.take(segments.limit);
          const full = standsFor.reduce((sum, term) => sum + (idfOf.get(term) ?? 0), 0);
          addScoresAndIdf(matches, factor, k1, scores, full * share, addedIdf);
        } else {
          const full = spellings ? inverseUnitFrequency(unitCount(), 0) : idf;
          addScoresAndIdf(matches, factor, k1, scores, idf * share, matchedIdf);
          totalIdf += full;
          for (const form of [query.term, ...(query.forms ?? [])]) {
            idfOf.set(form, full);
            mark(parts.get(form), matches);
          }
          bound += count * full * (k1 + 1);
        }
        scored.push({ query, words, units, idf });
      }
      const taken = addedIdf ? [scores, matchedIdf, addedIdf] : [scores, matchedIdf];
      const release = () => {
        for (const array of taken.splice(0)) pool.give(array);
      };
      const totals = { totalIdf, bound, terms: scored, weights };
      return { scores, matchedIdf, ...(addedIdf && { addedIdf }), ...totals, release };
    },

    /** Returns the live units that hold a term in any field, in no particular order. */
    unitsWith(term: PostingsTerm): Uint32Array {
      const equal = fields.map(() => 1);
      collect(wordsOf(term), term, normsOf(term.field, equal));
      return matches.units.slice(0, matches.count);
    },
  };
}

/** Makes one array per term that is part of a joined name. Entry `u` is set to 1 when unit `u` is found to hold the term. */
function findParts(terms: readonly PostingsTerm[], limit: number): ReadonlyMap<string, Uint8Array> {
  const joined = terms.filter(({ weight }) => weight === undefined);
  return new Map(
    joined.flatMap(({ standsFor = [] }) => standsFor.map((part) => [part, new Uint8Array(limit)])),
  );
}

// These loops are separate functions: V8 then compiles each loop once, not in the middle of a search.

function addScores(
  { units, frequencies, count }: Matches,
  idf: number,
  k1: number,
  scores: Float64Array,
): void {
  for (let i = 0; i < count; i++) scores[units[i]!]! += idf * saturate(frequencies[i]!, k1);
}

/** Adds score and idf in one pass: the usual case. */
function addScoresAndIdf(
  { units, frequencies, count }: Matches,
  factor: number,
  k1: number,
  scores: Float64Array,
  idf: number,
  sums: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const unit = units[i]!;
    scores[unit]! += factor * saturate(frequencies[i]!, k1);
    sums[unit]! += idf;
  }
}

function mark(covered: Uint8Array | undefined, { units, count }: Matches): void {
  if (covered) for (let i = 0; i < count; i++) covered[units[i]!] = 1;
}

/** Adds `idf` to the matching units that do not have the term yet, and marks that they have it. */
function addWhereFresh(
  sums: Float64Array,
  { units, count }: Matches,
  idf: number,
  covered: Uint8Array,
): void {
  for (let i = 0; i < count; i++) {
    const unit = units[i]!;
    if (covered[unit] === 0) sums[unit]! += idf;
    covered[unit] = 1;
  }
}
