/** Merges segments into one without their dead units. Reads only the sorted tables, not the texts. */
import type { Steps } from '../steps.ts';
import { findWord, wordAt, wordCount } from './dictionary.ts';
import { createWordPacker, mergeWords } from './merge-words.ts';
import { createPostingWriter, NONE } from './posting-codec.ts';
import type { Segment } from './segment.ts';
import type { Surfaces } from './spellings.ts';

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
  const { places, ...words } = yield* mergeTerms(segments, units);
  return {
    ...mergeUnits(segments, units, unitCount),
    ...words,
    ...(yield* mergeSurfaces(segments, places, removed)),
  };
}

/**
 * Merges the terms and their live entries.
 * @returns also `places`, by segment: the index of each of its terms in `terms`, or NONE if no live unit holds the term
 */
function* mergeTerms(segments: readonly Segment[], units: readonly Uint32Array[]) {
  const places = segments.map(({ terms }) => new Uint32Array(wordCount(terms)).fill(NONE));
  const packer = createWordPacker(segments.map(({ terms }) => terms));
  const writer = createPostingWriter(
    segments[0]?.hasPositions ?? false,
    segments.reduce((sum, { postings }) => sum + postings.byteLength, 0),
  );
  const copiers = segments.map((segment, index) => createCopier(segment, units[index]!, writer));
  let count = 0;
  let isHeld = false;

  function endTerm(): void {
    if (!isHeld) return;
    writer.endTerm();
    count++;
    isHeld = false;
  }

  const sources = segments.map(({ terms }, index) => ({
    words: terms,
    indexes: places[index]!.map((_, at) => at),
  }));
  // Segments are visited in order, so the entries of a term stay ordered by unit.
  yield* mergeWords(sources, (index, term, isNew) => {
    if (isNew) endTerm();
    if (!copiers[index]!(term)) return;
    if (!isHeld) packer.add(index, term);
    isHeld = true;
    places[index]![term] = count;
  });
  endTerm();
  return { terms: packer.pack(), ...writer.finish(), places };
}

/** Bytes that are read at a time: a store reads some of its pieces, and they are not kept. */
const WINDOW = 65_536;

/** Makes a function that copies the live entries of a term, and returns whether there are any. Call it in the order of the terms. */
function createCopier(
  { postings, postingStarts }: Segment,
  units: Uint32Array,
  writer: ReturnType<typeof createPostingWriter>,
): (term: number) => boolean {
  /** Some bytes of the postings, and where they are. */
  let bytes: Uint8Array = new Uint8Array(0);
  let [from, to] = [0, 0];

  return (term) => {
    const start = postingStarts[term]!;
    const end = postingStarts[term + 1]!;
    if (start < from || end > to) {
      [from, to] = [start, Math.max(end, Math.min(start + WINDOW, postings.byteLength))];
      bytes = postings.subarray(from, to);
    }
    return writer.copy(bytes, start - from, end - from, units);
  };
}

/** @param merged for each segment, the merged number of each local unit, or NONE */
function mergeUnits(segments: readonly Segment[], merged: readonly Uint32Array[], count: number) {
  const fieldCount = segments[0]?.fieldCount ?? 0;
  const units = new Uint32Array(count);
  const lengths = new Uint32Array(count * fieldCount);
  for (const [index, segment] of segments.entries()) {
    for (const [local, unit] of merged[index]!.entries()) {
      if (unit === NONE) continue;
      units[unit] = segment.units[local]!;
      for (let field = 0; field < fieldCount; field++)
        lengths[field * count + unit] = segment.lengths[field * segment.units.length + local]!;
    }
  }
  return { fieldCount, units, lengths };
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
