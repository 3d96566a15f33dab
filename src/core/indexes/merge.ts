/** Chooses the segments to merge, and merges them into one without their dead units. Reads only the sorted tables, not the texts. */
import type { Steps } from '../steps.ts';
import { compareText } from '../text/compare-text.ts';
import { createDictionary, findWord, wordAt, wordCount } from './dictionary.ts';
import { allocateTables, type Segment, type SegmentTables } from './segment.ts';
import { packSurfaces, type SurfaceRow, type Surfaces } from './spellings.ts';

interface SegmentSize {
  readonly units: number;
  /** Units that are not deleted. */
  readonly live: number;
  /** Memory of the segment. */
  readonly bytes: number;
}

/** Number of segments of similar size that are merged into one. */
const FANOUT = 4;

/** Segments below this number of live units form the lowest tier. */
const SMALLEST_TIER = 256;

/** Max size of a merged segment. During merging and saving, memory holds the result three times, and the original segments. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A segment below this size is rewritten as soon as it has a dead unit: rewriting it takes milliseconds. */
const SMALL_BYTES = 256 * 1024;

/**
 * Returns groups of segments to merge, as indexes of `sizes`. No segment is in two groups.
 *
 * The merge is tiered, like the log-structured merge tree (O'Neil, Cheng, Gawlick and O'Neil 1996) and Lucene's
 * TieredMergePolicy. Live sizes fall into tiers, each `FANOUT` times the tier below. A tier with `FANOUT` segments is merged into
 * one segment. So a tier keeps at most `FANOUT − 1` segments if `MAX_BYTES` allows the merge, and a unit is copied about once per
 * tier. A segment is rewritten by itself if more than half of it is dead, or if it is small and has any dead unit.
 * @param all whether to rewrite every segment with a dead unit. @default false
 */
export function planMerge(sizes: readonly SegmentSize[], all = false): readonly (readonly number[])[] {
  const tiers = Map.groupBy(sizes.keys(), (index) => tierOf(sizes[index]!.live));
  const groups: (readonly number[])[] = [];
  for (const members of tiers.values()) {
    for (const group of fitting(members, sizes)) {
      if (group.length >= FANOUT) groups.push(group);
      else groups.push(...group.filter((index) => isDue(sizes[index]!, all)).map((index) => [index]));
    }
  }
  return groups;
}

/** Splits a tier into groups whose merged segment has at most `MAX_BYTES`. */
function fitting(members: readonly number[], sizes: readonly SegmentSize[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let room = 0;
  for (const index of members) {
    const bytes = liveBytes(sizes[index]!);
    if (groups.length === 0 || bytes > room) {
      groups.push([]);
      room = MAX_BYTES;
    }
    groups.at(-1)!.push(index);
    room -= bytes;
  }
  return groups;
}

function liveBytes({ units, live, bytes }: SegmentSize): number {
  return units === 0 ? 0 : (bytes * live) / units;
}

function tierOf(live: number): number {
  return live < SMALLEST_TIER ? 0 : 1 + Math.floor(Math.log(live / SMALLEST_TIER) / Math.log(FANOUT));
}

function isDue({ units, live, bytes }: SegmentSize, all: boolean): boolean {
  return live * 2 < units || (live < units && (all || bytes < SMALL_BYTES));
}

/** Number of words of a dictionary that are merged in one step. */
const STEP = 4096;

/** Marks a unit or term that is not in the merged segment. */
const NONE = 0xffffffff;

/**
 * Makes one segment of the live units of all segments, in the given order. Statistics and scores stay the same.
 * @param isLive whether a local unit of `segments[segmentIndex]` is live
 * @param removed returns segments made of the dead units of a segment. Words that only these units contain are left out of the
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
    Uint32Array.from(dictionary.entryCounts),
    hasPositions ? Uint32Array.from(dictionary.positionCounts) : undefined,
  );
  const next = { entries: tables.entryStarts.slice(), positions: tables.positionStarts.slice() };
  for (const [index, segment] of segments.entries()) {
    copyUnits(segment, units[index]!, tables);
    yield* copyEntries(segment, units[index]!, dictionary.places[index]!, tables, next);
  }
  const surfaces = yield* mergeSurfaces(segments, dictionary.places, removed);
  return { ...tables, ...surfaces, terms: createDictionary(dictionary.terms) };
}

/** Merges sorted dictionaries: each step takes the smallest word. */
function* mergeTerms(segments: readonly Segment[], units: readonly Uint32Array[]) {
  /** By segment: the index of each of its terms in `terms`, or NONE if no live unit holds the term. */
  const places = segments.map(({ terms }) => new Uint32Array(wordCount(terms)).fill(NONE));
  const terms: string[] = [];
  const entryCounts: number[] = [];
  const positionCounts: number[] = [];
  const at = segments.map(() => 0);
  const heads = segments.map(({ terms }) => (wordCount(terms) > 0 ? wordAt(terms, 0) : undefined));
  for (let word = smallest(heads); word !== undefined; word = smallest(heads)) {
    let entries = 0;
    let positions = 0;
    for (const [index, segment] of segments.entries()) {
      if (heads[index] !== word) continue;
      const term = at[index]!++;
      heads[index] = at[index]! < wordCount(segment.terms) ? wordAt(segment.terms, at[index]!) : undefined;
      const before = entries;
      for (let entry = segment.entryStarts[term]!; entry < segment.entryStarts[term + 1]!; entry++) {
        if (units[index]![segment.entryUnits[entry]!] === NONE) continue;
        entries++;
        positions += segment.entryFrequencies[entry]!;
      }
      if (entries > before) places[index]![term] = terms.length;
    }
    if (entries === 0) continue;
    if (terms.push(word) % STEP === 0) yield;
    entryCounts.push(entries);
    positionCounts.push(positions);
  }
  return { terms, entryCounts, positionCounts, places };
}

function smallest(heads: readonly (string | undefined)[]): string | undefined {
  let best: string | undefined;
  for (const head of heads)
    if (head !== undefined && (best === undefined || compareText(head, best) < 0)) best = head;
  return best;
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
  const { entryStarts, entryUnits, entryFields, entryFrequencies, positions } = segment;
  for (let term = 0; term < places.length; term++) {
    if (term % STEP === 0) yield;
    const place = places[term]!;
    if (place === NONE) continue;
    let position = segment.positionStarts[term] ?? 0;
    let [target, targetPosition] = [next.entries[place]!, next.positions[place]!];
    let last = NONE;
    const end = entryStarts[term + 1]!;
    for (let entry = entryStarts[term]!; entry < end; entry++) {
      const frequency = entryFrequencies[entry]!;
      const unit = units[entryUnits[entry]!]!;
      if (unit === NONE) {
        position += frequency;
        continue;
      }
      to.entryUnits[target] = unit;
      to.entryFields[target] = entryFields[entry]!;
      to.entryFrequencies[target++] = frequency;
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
  const rows: SurfaceRow[][] = [];
  for (const [index, segment] of segments.entries()) {
    rows.push(surfaceRows(segment, places[index]!, 1));
    for (const gone of removed(segment)) {
      yield;
      const inMerged = Uint32Array.from({ length: wordCount(gone.terms) }, (_, term) => {
        const inSegment = findWord(segment.terms, wordAt(gone.terms, term));
        return places[index]![inSegment] ?? NONE;
      });
      rows.push(surfaceRows(gone, inMerged, -1));
    }
    yield;
  }
  return yield* packSurfaces(rows.flat());
}

/** @param places index of each term in the merged segment, or NONE */
function surfaceRows(
  { surfaces, surfaceTerms, surfaceFrequencies }: Segment,
  places: Uint32Array,
  sign: 1 | -1,
) {
  const rows: SurfaceRow[] = [];
  for (const [index, term] of surfaceTerms.entries()) {
    if (places[term] === NONE) continue;
    rows.push({
      word: wordAt(surfaces, index),
      term: places[term]!,
      frequency: sign * surfaceFrequencies[index]!,
    });
  }
  return rows;
}
