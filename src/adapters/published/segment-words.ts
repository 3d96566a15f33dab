/** Converts segments of the word indexes to the words of each unit (a passage or document), and back. */
import { DEFINITION_MARK } from '../../core/indexes/acronyms.ts';
import { saturate, weighFrequency } from '../../core/indexes/bm25f.ts';
import { wordAt, wordCount } from '../../core/indexes/dictionary.ts';
import { eachEntry } from '../../core/indexes/posting-codec.ts';
import { readPostings, type Segment } from '../../core/indexes/segment.ts';
import { createSegmentBuilder } from '../../core/indexes/segment-builder.ts';
import { RANKING } from '../../core/model/ranking-constants.ts';
import { atOnce } from '../../core/steps.ts';
import { dimensionOf, type Occurrences } from './format.ts';

/** The words of one passage or document. */
export interface UnitWords {
  readonly unit: number;
  readonly lengths: readonly number[];
  /** For each term, a list: per field, the number of the field, the frequency, and the positions if the segment keeps them. */
  readonly words: ReadonlyMap<string, readonly number[]>;
}

export function unitWords(segment: Segment): readonly UnitWords[] {
  const { units, lengths, fieldCount, terms } = segment;
  const words = Array.from(units, () => new Map<string, number[]>());
  for (let term = 0; term < wordCount(terms); term++) {
    const word = wordAt(terms, term);
    if (word.startsWith(DEFINITION_MARK)) continue;
    for (const { local, field, frequency, positions } of eachEntry(readPostings(segment, term))) {
      const own = words[local]!;
      const occurrences = own.get(word) ?? [];
      own.set(word, occurrences);
      occurrences.push(field, frequency, ...positions);
    }
  }
  return words.map((own, local) => ({
    unit: units[local]!,
    lengths: Array.from({ length: fieldCount }, (_, field) => lengths[field * units.length + local]!),
    words: own,
  }));
}

export interface Weighing {
  /** The weight of each field; 0 leaves the field out. */
  readonly weights: readonly number[];
  readonly averageLengths: readonly number[];
  readonly placed: boolean;
}

/** Returns the contribution of a word to the BM25F score of its unit, without idf; 0 if no field with a weight holds it. */
export function contribution(
  occurrences: readonly number[],
  lengths: readonly number[],
  { weights, averageLengths, placed }: Weighing,
): number {
  const { k1, b } = RANKING.words;
  let sum = 0;
  for (const { field, frequency } of eachField(occurrences, placed)) {
    const weight = weights[field]!;
    sum += weighFrequency({ name: '', weight, b }, frequency, lengths[field]!, averageLengths[field]!);
  }
  return saturate(sum, k1);
}

/** A unit as it was published, with the words that a query needs. */
type LoadedUnit = Omit<UnitWords, 'words'> & { readonly in?: Occurrences };

/** Makes a segment that holds only the given terms. */
export function segmentOf(units: Iterable<LoadedUnit>, terms: Iterable<string>, placed: boolean): Segment {
  const termsAt = Map.groupBy(terms, (term) => String(dimensionOf(term)));
  const sorted = [...units].sort((a, b) => a.unit - b.unit);
  const fieldCount = sorted[0]?.lengths.length ?? 1;
  const builder = createSegmentBuilder({ fieldCount, analyze: () => 0, positions: placed });
  for (const { unit, lengths, in: held = {} } of sorted) {
    const found: { readonly term: string; readonly positions: ArrayLike<number> }[][] = [];
    for (const [dimension, occurrences] of Object.entries(held)) {
      for (const { field, frequency, positions } of eachField(occurrences, placed))
        for (const term of termsAt.get(dimension) ?? []) {
          found[field] ??= [];
          found[field].push({ term, positions: placed ? positions : { length: frequency } });
        }
    }
    for (const [field, length] of lengths.entries()) {
      // The first field is added even if it is empty, so that the unit is known.
      if (length === 0 && field > 0) continue;
      builder.add(unit, field, '', (_, visit) => {
        for (const { term, positions } of found[field] ?? [])
          for (let at = 0; at < positions.length; at++) visit(term, positions[at] ?? at, 0, 0);
        return length;
      });
    }
  }
  return atOnce(builder.build());
}

function* eachField(occurrences: readonly number[], placed: boolean) {
  for (let at = 0; at < occurrences.length; ) {
    const [field, frequency] = [occurrences[at]!, occurrences[at + 1]!];
    at += 2;
    const positions = placed ? occurrences.slice(at, at + frequency) : [];
    if (placed) at += frequency;
    yield { field, frequency, positions };
  }
}
