/** Turns the scores of a lexical index into a ranking, and splits a score into parts that a person can check by hand. */
import { type Explanation, leaves } from '../model/hit.ts';
import type { Lane } from '../model/ranking-constants.ts';
import { saturate, weighFrequency } from './bm25f.ts';
import type { LiveSegment } from './live-segments.ts';
import { findPhrase, type PhraseEntry } from './phrase.ts';
import { fieldOf, firstEntry, frequencyOf } from './posting-codec.ts';
import type { Postings, ScoredTerm, Scores } from './postings.ts';
import type { Ranking, SlotMask } from './retriever.ts';
import { createTopK } from './top-k.ts';

/** A ranking by BM25F; its explanations are valid until the index changes. */
export type LexicalRanking = Ranking &
  Required<Pick<Ranking, 'bound' | 'coverageOf' | 'bestCoverage' | 'idf' | 'explain'>>;

interface RankingOptions {
  readonly lane: Lane;
  readonly k: number;
  readonly mask: SlotMask | undefined;
  readonly idOf: (slot: number) => string;
}

export function rankScores(postings: Postings, scores: Scores, options: RankingOptions): LexicalRanking {
  const { lane, k, mask, idOf } = options;
  const top = createTopK(k, idOf);
  const values = scores.scores;
  let best = 0;
  const share = (idf: number) => (scores.totalIdf > 0 ? Math.min(1, idf / scores.totalIdf) : 0);
  let least = Number.MIN_VALUE; // a score of 0 is no match
  for (let slot = 0; slot < values.length; slot++) {
    const score = values[slot]!;
    if (score < least) continue;
    if (score > best) best = score;
    if (mask !== undefined && mask[slot] !== 1) continue;
    top.offer(slot, score);
    if (top.least > least) least = top.least;
  }
  return {
    lane,
    entries: top.ranked(),
    best,
    scoreOf: (slot) => values[slot] ?? 0,
    bound: scores.bound,
    coverageOf: (slot) => share(scores.matchedIdf[slot] ?? 0),
    bestCoverage: share(findMaxIdf(scores)),
    // The list is reversed, so that the first idf of a term wins: a query may hold a term twice, for example for two fields.
    idf: new Map(scores.terms.toReversed().map(({ query, idf }) => [query.term, idf])),
    explain: (slot) => explainScore(postings, scores, slot, lane),
    release: scores.release,
  };
}

/**
 * Returns the largest matched idf of all units, including synonyms. It may exceed the total idf, because a unit with a word and
 * its synonym counts the word twice: `share` limits the result to 1.
 */
function findMaxIdf({ matchedIdf, addedIdf }: Scores): number {
  let max = 0;
  for (let unit = 0; unit < matchedIdf.length; unit++) {
    const idf = addedIdf === undefined ? matchedIdf[unit]! : matchedIdf[unit]! + addedIdf[unit]!;
    if (idf > max) max = idf;
  }
  return max;
}

/**
 * Returns the score of a unit as a tree: its terms, each `count · weight · idf · tf′ · (k1 + 1) / (tf′ + k1)`, and the
 * parts of idf and tf′. Terms that do not match are left out. The index must not have changed since `scores` was made.
 */
export function explainScore(postings: Postings, scores: Scores, unit: number, label: string): Explanation {
  const parts = scores.terms
    .map((term) => explainTerm(postings, scores.weights, term, unit))
    .filter((part) => part.value > 0);
  return { label, value: scores.scores[unit] ?? 0, parts };
}

function explainTerm(
  postings: Postings,
  weights: readonly number[],
  term: ScoredTerm,
  unit: number,
): Explanation {
  const { query, units, idf } = term;
  const fields = explainFields(postings, weights, term, unit);
  const frequency = fields.reduce((sum, { value, weight = 1 }) => sum + weight * value, 0);
  const { k1 } = postings;
  const { count = 1, weight, spellings } = query;
  return {
    label: query.prefix ? `${query.term}*` : query.term,
    value: count * (weight ?? spellings?.share ?? 1) * idf * saturate(frequency, k1),
    parts: [
      { label: 'count in the query', value: count },
      ...(weight === undefined ? [] : [{ label: 'weight of an added word', value: weight }]),
      ...(spellings ? [{ label: 'weight of a correction', value: spellings.share }] : []),
      { label: 'idf', value: idf, parts: leaves({ N: postings.unitCount(), n: units }) },
      { label: 'tf′', value: frequency, parts: fields },
      { label: 'k1', value: k1 },
    ],
  };
}

/** Returns one part per word or phrase of the term, and per field that holds it. Skips fields that the term does not search. */
function explainFields(
  postings: Postings,
  weights: readonly number[],
  term: ScoredTerm,
  unit: number,
): readonly Explanation[] {
  const place = postings.segments.locate(unit);
  if (place === undefined) return [];
  const { lengths, units } = place.owner.segment;
  const only = term.query.field;
  const parts: Explanation[] = [];
  for (const [said, { field, frequency }] of occurrences(place, term)) {
    const { name, b } = postings.fields[field]!;
    const weight = weights[field]!;
    if (weight === 0 || (only !== undefined && only !== name)) continue;
    const length = lengths[field * units.length + place.local]!;
    const averageLength = postings.averageLength(field);
    parts.push({
      label: `${said} in ${name}`,
      value: weighFrequency({ name, weight: 1, b }, frequency, length, averageLength),
      weight,
      parts: leaves({ tf: frequency, length, 'average length': averageLength, b }),
    });
  }
  return parts;
}

/** Yields the words and phrases of a term that occur in a unit: once per field, with their frequency there. */
function* occurrences(
  { owner, local }: { readonly owner: LiveSegment; readonly local: number },
  { words, query }: ScoredTerm,
): Iterable<readonly [said: string, Omit<PhraseEntry, 'local'>]> {
  for (const word of words) {
    const term = owner.find(word);
    if (term < 0) continue;
    const postings = owner.postingsOf(term);
    for (let entry = firstEntry(postings, local); postings.units[entry] === local; entry++) {
      const occurrence = postings.occurrences[entry]!;
      yield [word, { field: fieldOf(occurrence), frequency: frequencyOf(occurrence) }];
    }
  }
  for (const phrase of query.variants ?? []) {
    const said = phrase.map(({ term }) => term).join(' ');
    for (const found of findPhrase(owner, phrase)) if (found.local === local) yield [said, found];
  }
}
