/** Says which segments to merge, so that there are few of them and no unit is copied often. */

export interface SegmentSize {
  readonly units: number;
  /** Units that are not deleted. */
  readonly live: number;
  /** Memory it takes. */
  readonly bytes: number;
}

/** How many segments of about one size become one of the next size. */
const FANOUT = 4;

/** Segments below this size count as equally small. */
const SMALLEST_TIER = 256;

/**
 * A segment that would grow beyond this is left alone. While segments are merged and saved, the result is in memory
 * three times, beside the segments it is made of.
 */
const MAX_BYTES = 16 * 1024 * 1024;

/** A smaller segment is rewritten for any dead unit: that takes milliseconds. */
const SMALL_BYTES = 256 * 1024;

/**
 * Groups of segments to merge, as indices; the same segment is never in two groups.
 *
 * Tiered, after the log-structured merge tree (O'Neil, Cheng, Gawlick and O'Neil 1996) as search engines use it
 * (Lucene's TieredMergePolicy): live sizes fall into tiers, each `FANOUT` times the one below, and a tier with
 * `FANOUT` segments is merged into one. So at most `FANOUT − 1` segments a tier are left, and a unit is copied about
 * once a tier. A segment that is more than half dead is rewritten by itself, as is a small one with any dead unit.
 * @param all whether every segment with a dead unit is. @default false
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

/** Cuts a tier into groups that make a segment of at most `MAX_BYTES`. */
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
