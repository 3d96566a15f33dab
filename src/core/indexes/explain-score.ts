/** Takes a BM25F score apart, so that a person can redo the sum by hand. */
import type { Explanation } from '../model/hit.ts';
import type { PhraseTerms } from '../model/query.ts';
import { DEFAULT_B, saturate, weighFrequency } from './bm25f.ts';
import type { LiveSegments } from './live-segments.ts';
import { findPhrase } from './phrase.ts';
import type { Postings, ScoredTerm, Scores } from './postings.ts';

/**
 * The score of a unit as a tree: its terms, each `count · weight · idf · tf′ · (k1 + 1) / (tf′ + k1)`, with idf and tf′ from their
 * parts. Terms that do not match are left out; the index must not have changed since `scores` was made.
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
  { query, words, units, idf }: ScoredTerm,
  unit: number,
): Explanation {
  const places = [
    ...words.map((word) => [word, occurrences(postings.segments, word, unit)] as const),
    ...(query.variants ?? []).map(
      (phrase) =>
        [
          phrase.map(({ term }) => term).join(' '),
          phraseOccurrences(postings.segments, phrase, unit),
        ] as const,
    ),
  ];
  const fields = places.flatMap(([word, found]) =>
    explainFields(postings, weights, word, query.field, found),
  );
  const frequency = fields.reduce((sum, { value, weight = 1 }) => sum + weight * value, 0);
  const { k1 } = postings;
  const { count = 1, weight, spellings } = query;
  return {
    label: query.prefix ? `${query.term}*` : query.term,
    value: count * (weight ?? spellings?.share ?? 1) * idf * saturate(frequency, k1),
    parts: [
      { label: 'count in the query', value: count },
      ...(weight === undefined ? [] : [{ label: 'weight of a synonym', value: weight }]),
      ...(spellings ? [{ label: 'weight of a correction', value: spellings.share }] : []),
      {
        label: 'idf',
        value: idf,
        parts: [
          { label: 'N', value: postings.segments.count },
          { label: 'n', value: units },
        ],
      },
      { label: 'tf′', value: frequency, parts: fields },
      { label: 'k1', value: k1 },
    ],
  };
}

/** One part for each field that holds the word or phrase and counts. */
function explainFields(
  postings: Postings,
  weights: readonly number[],
  word: string,
  only: string | undefined,
  found: readonly Occurrence[],
): readonly Explanation[] {
  const parts: Explanation[] = [];
  for (const { field, frequency, length } of found) {
    const { name, b = DEFAULT_B } = postings.fields[field]!;
    const weight = weights[field]!;
    if (weight === 0 || (only !== undefined && only !== name)) continue;
    const averageLength = postings.averageLength(field);
    parts.push({
      label: `${word} in ${name}`,
      value: weighFrequency({ name, weight: 1, b }, frequency, length, averageLength),
      weight,
      parts: [
        { label: 'tf', value: frequency },
        { label: 'length', value: length },
        { label: 'average length', value: averageLength },
        { label: 'b', value: b },
      ],
    });
  }
  return parts;
}

interface Occurrence {
  readonly field: number;
  readonly frequency: number;
  readonly length: number;
}

/** In which fields of a live unit a word is, in order of field. */
function occurrences(segments: LiveSegments, word: string, unit: number): readonly Occurrence[] {
  const place = segments.locate(unit);
  if (place === undefined) return [];
  const { segment, find } = place.owner;
  const term = find(word);
  if (term < 0) return [];
  const found: Occurrence[] = [];
  for (let entry = segment.entryStarts[term]!; entry < segment.entryStarts[term + 1]!; entry++) {
    if (segment.entryUnits[entry] !== place.local) continue;
    const field = segment.entryFields[entry]!;
    found.push({
      field,
      frequency: segment.entryFrequencies[entry]!,
      length: segment.lengths[field * segment.units.length + place.local]!,
    });
  }
  return found;
}

/** In which fields of a live unit a phrase is, in order of field. */
function phraseOccurrences(segments: LiveSegments, phrase: PhraseTerms, unit: number): readonly Occurrence[] {
  const place = segments.locate(unit);
  if (place === undefined) return [];
  const { lengths, units } = place.owner.segment;
  return [...findPhrase(place.owner, phrase)]
    .filter(({ local }) => local === place.local)
    .map(({ field, frequency, local }) => ({
      field,
      frequency,
      length: lengths[field * units.length + local]!,
    }));
}
