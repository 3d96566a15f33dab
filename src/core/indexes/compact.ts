/** Merges segments, so that an index has few segments and few removed units. */
import type { Steps } from '../steps.ts';
import type { SegmentedIndex } from './lexical-index.ts';
import type { LiveSegment } from './live-segments.ts';
import { mergeSegments } from './merge.ts';
import type { Segment } from './segment.ts';

/**
 * Merges segments if there are too many segments or dead units.
 * @param all whether to drop every dead unit, even from a large segment. @default false
 * @param onMerged called with each merged segment before the next merge
 */
export function* compact(
  index: SegmentedIndex,
  all = false,
  onMerged?: (merged: LiveSegment) => void,
): Steps<void> {
  const { liveSegments, replace } = index;
  function plan() {
    const sizes = liveSegments.map(({ units, live, bytes }) => ({ units: units.length, live, bytes }));
    return planMerge(sizes, all).map((group) => group.map((place) => liveSegments[place]!));
  }

  for (let groups = plan(); groups.length > 0; groups = plan()) {
    // Taken off the list, so that the memory of a merged group is freed before the next merge.
    for (let group = groups.shift(); group; group = groups.shift()) {
      const merged = yield* mergeGroup(index, group);
      const added = replace(group, merged.units.length > 0 ? merged : undefined);
      yield;
      if (added) onMerged?.(added);
    }
  }
}

function mergeGroup({ forgottenOf }: SegmentedIndex, group: readonly LiveSegment[]): Steps<Segment> {
  const segments = group.map(({ segment }) => segment);
  const isLive = (place: number, local: number) => group[place]!.dead[local] === 0;
  return mergeSegments(segments, isLive, (segment) => forgottenOf(group[segments.indexOf(segment)]!));
}

interface SegmentSize extends Pick<LiveSegment, 'live' | 'bytes'> {
  readonly units: number;
}

/** Number of segments of similar size that are merged into one. */
const FANOUT = 4;

/** Segments below this number of live units form the lowest tier. */
const SMALLEST_TIER = 256;

/**
 * Max size of a merged segment: a share of all segments, within limits. Each search looks its words up in every segment, so there must
 * be few. Merging holds the segment in memory, and its postings twice at the end.
 */
const MAX_SHARE = 1 / 16;
const LIMITS = { least: 16 * 1024 * 1024, most: 128 * 1024 * 1024 };

/** A segment below this size is rewritten as soon as it has a dead unit: rewriting it takes milliseconds. */
const SMALL_BYTES = 256 * 1024;

/**
 * Returns groups of segments to merge, as indexes of `sizes`. No segment is in two groups.
 *
 * The merge is tiered, like the log-structured merge tree (O'Neil, Cheng, Gawlick and O'Neil 1996) and Lucene's
 * TieredMergePolicy. Live sizes fall into tiers, each `FANOUT` times the tier below. A tier with `FANOUT` segments is merged into
 * one segment. So a tier keeps at most `FANOUT − 1` segments if the largest size allows the merge, and a unit is copied about once per
 * tier. A segment is rewritten by itself if more than half of it is dead, or if it is small and has any dead unit.
 * @param all whether to rewrite every segment with a dead unit. @default false
 */
export function planMerge(sizes: readonly SegmentSize[], all = false): readonly (readonly number[])[] {
  const tiers = Map.groupBy(sizes.keys(), (index) => tierOf(sizes[index]!.live));
  const groups: (readonly number[])[] = [];
  const total = sizes.reduce((sum, size) => sum + liveBytes(size), 0);
  const maxBytes = Math.min(LIMITS.most, Math.max(LIMITS.least, total * MAX_SHARE));
  for (const members of tiers.values()) {
    for (const group of fitting(members, sizes, maxBytes)) {
      if (group.length >= FANOUT) groups.push(group);
      else groups.push(...group.filter((index) => isDue(sizes[index]!, all)).map((index) => [index]));
    }
  }
  return groups;
}

/** Splits a tier into groups whose merged segment has at most `maxBytes`. */
function fitting(
  members: readonly number[],
  sizes: readonly SegmentSize[],
  maxBytes: number,
): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let room = 0;
  for (const index of members) {
    const bytes = liveBytes(sizes[index]!);
    if (groups.length === 0 || bytes > room) {
      groups.push([]);
      room = maxBytes;
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
