/** Merges segments into one without their dead units. Reads only the sorted tables, not the texts. */
import type { Steps } from '../steps.ts';
import { findWord, wordAt, wordCount } from './dictionary.ts';
import { createWordPacker, mergeWords } from './merge-words.ts';
import { allocateTables, frequencyOf, type Segment, type SegmentTables } from './segment.ts';
import type { Surfaces } from './spellings.ts';

/** Number of terms whose entries are copied in one step. */
const STEP = 4096;

/** Marks a unit or term that is not in the merged segment. */
const NONE = 0xffffffff;

/**
 * Makes one segment of the live units of all segments, in the given order. Statistics and scores stay the same.
 * @param isLive whether a local unit of `segments[segmentIndex]` is live
 * @param removed gives, for a segment, segments made of its dead units. Words that only these units contain are left out of the
 *   surface dictionary.
 */
export function* mergeSegments(
  segments: readonly Segment[],
  isLive: (segmentIndex: number, localUnit: number) => boolean,
  removed: (segment: Segment) => readonly Segment[] = () => [],
): Steps<Segment> {
  let unitCount = 0;
  const units = segments.map(({ units }, index) =>
    Uint32Array.from(units, (_, local) => (isLive(index, local) ? unitCount++ : NONE)),
  );
  const dictionary = yield* mergeTerms(segments, units);
  const hasPositions = segments.every((segment) => segment.positionStarts.length > 0);
  const tables = allocateTables(
    segments[0]?.fieldCount ?? 0,
    unitCount,
    dictionary.entryCounts,
    hasPositions ? dictionary.positionCounts : undefined,
  );
  const next = { entries: tables.entryStarts.slice(), positions: tables.positionStarts.slice() };
  for (const [index, segment] of segments.entries()) {
    copyUnits(segment, units[index]!, tables);
    yield* copyEntries(segment, units[index]!, dictionary.places[index]!, tables, next);
  }
  const surfaces = yield* mergeSurfaces(segments, dictionary.places, removed);
  return { ...tables, ...surfaces, terms: dictionary.terms };
}

function* mergeTerms(segments: readonly Segment[], units: readonly Uint32Array[]) {
  /** By segment: the index of each of its terms in `terms`, or NONE if no live unit holds the term. */
  const places = segments.map(({ terms }) => new Uint32Array(wordCount(terms)).fill(NONE));
  const isWhole = units.map((each) => !each.includes(NONE));
  const most = places.reduce((sum, { length }) => sum + length, 0);
  const [entryCounts, positionCounts] = [new Uint32Array(most), new Uint32Array(most)];
  const packer = createWordPacker(segments.map(({ terms }) => terms));
  let count = 0;
  let isPacked = false;

  function visit(index: number, term: number, isNew: boolean): void {
    if (isNew) isPacked = false;
    const { entryStarts, entryUnits, entryOccurrences, positionStarts } = segments[index]!;
    const [start, end] = [entryStarts[term]!, entryStarts[term + 1]!];
    let entries = end - start;
    let positions = 0;
    if (isWhole[index]) positions = (positionStarts[term + 1] ?? 0) - (positionStarts[term] ?? 0);
    else {
      for (let entry = start; entry < end; entry++) {
        if (units[index]![entryUnits[entry]!] === NONE) entries--;
        else positions += frequencyOf(entryOccurrences[entry]!);
      }
    }
    if (entries === 0) return;
    if (!isPacked) {
      packer.add(index, term);
      count++;
    }
    isPacked = true;
    places[index]![term] = count - 1;
    entryCounts[count - 1]! += entries;
    positionCounts[count - 1]! += positions;
  }

  const sources = segments.map(({ terms }, index) => ({
    words: terms,
    indexes: places[index]!.map((_, at) => at),
  }));
  yield* mergeWords(sources, visit);
  return {
    terms: packer.pack(),
    entryCounts: entryCounts.subarray(0, count),
    positionCounts: positionCounts.subarray(0, count),
    places,
  };
}

function copyUnits(segment: Segment, units: Uint32Array, to: SegmentTables): void {
  for (const [local, merged] of units.entries()) {
    if (merged === NONE) continue;
    to.units[merged] = segment.units[local]!;
    for (let field = 0; field < to.fieldCount; field++) {
      to.lengths[field * to.units.length + merged] = segment.lengths[field * units.length + local]!;
    }
  }
}

/** Appends the live entries of each term. Segments are copied in order, so entries stay ordered by unit. */
function* copyEntries(
  segment: Segment,
  units: Uint32Array,
  places: Uint32Array,
  to: SegmentTables,
  next: { readonly entries: Uint32Array; readonly positions: Uint32Array },
): Steps<void> {
  const hasPositions = to.positionStarts.length > 0;
  const { entryStarts, entryUnits, entryOccurrences, positions } = segment;
  for (let term = 0; term < places.length; term++) {
    if (term % STEP === 0) yield;
    const place = places[term]!;
    if (place === NONE) continue;
    let position = segment.positionStarts[term] ?? 0;
    let [target, targetPosition] = [next.entries[place]!, next.positions[place]!];
    let last = NONE;
    const end = entryStarts[term + 1]!;
    for (let entry = entryStarts[term]!; entry < end; entry++) {
      const occurrence = entryOccurrences[entry]!;
      const frequency = frequencyOf(occurrence);
      const unit = units[entryUnits[entry]!]!;
      if (unit === NONE) {
        position += frequency;
        continue;
      }
      to.entryUnits[target] = unit;
      to.entryOccurrences[target++] = occurrence;
      if (unit !== last) to.unitFrequencies[place]!++;
      last = unit;
      // Copied in a loop: most words occur once or twice in a field, and making a view takes longer.
      if (hasPositions)
        for (let n = 0; n < frequency; n++) to.positions[targetPosition++] = positions[position++]!;
    }
    next.entries[place] = target;
    next.positions[place] = targetPosition;
  }
}

/** Merges the spellings of each term in the merged segment, and adds up their frequencies, without those of removed units. */
function* mergeSurfaces(
  segments: readonly Segment[],
  places: readonly Uint32Array[],
  removed: (segment: Segment) => readonly Segment[],
): Steps<Surfaces> {
  const sources = segments.map((segment, index) => spellingsOf(segment, places[index]!, 1));
  for (const [index, segment] of segments.entries()) {
    for (const gone of removed(segment)) {
      yield;
      const inMerged = Uint32Array.from({ length: wordCount(gone.terms) }, (_, term) => {
        const inSegment = findWord(segment.terms, wordAt(gone.terms, term));
        return places[index]![inSegment] ?? NONE;
      });
      sources.push(spellingsOf(gone, inMerged, -1));
    }
  }
  const packer = createWordPacker(sources.map(({ words }) => words));
  const terms: number[] = [];
  const frequencies: number[] = [];
  let [source, index, frequency] = [0, 0, 0];

  function endRow(): void {
    if (frequency <= 0) return;
    packer.add(source, index);
    terms.push(sources[source]!.ranks[index]!);
    frequencies.push(frequency);
  }

  yield* mergeWords(sources, (nextSource, nextIndex, isNew) => {
    if (isNew) {
      endRow();
      [source, index, frequency] = [nextSource, nextIndex, 0];
    }
    const { sign, counts } = sources[nextSource]!;
    frequency += sign * counts[nextIndex]!;
  });
  endRow();
  return {
    surfaces: packer.pack(),
    surfaceTerms: Uint32Array.from(terms),
    surfaceFrequencies: Uint32Array.from(frequencies),
  };
}

/** The spellings of the terms that are in the merged segment. @param places index of each term there, or NONE */
function spellingsOf(
  { surfaces, surfaceTerms, surfaceFrequencies: counts }: Segment,
  places: Uint32Array,
  sign: 1 | -1,
) {
  const ranks = surfaceTerms.map((term) => places[term]!);
  const indexes = ranks.map((_, index) => index).filter((index) => ranks[index] !== NONE);
  return { words: surfaces, indexes, ranks, counts, sign };
}
