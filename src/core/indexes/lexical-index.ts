/** What the keyword, code and document indexes share: texts become segments, which are scored, saved and merged. */
import type { Steps } from '../steps.ts';
import { mergeSegments } from './merge.ts';
import { planMerge } from './merge-plan.ts';
import { createPostings, type Postings, type PostingsOptions } from './postings.ts';
import { type Segment, segmentBytes } from './segment.ts';
import { createSegmentBuilder, type SegmentBuilder, type SegmentOptions } from './segment-builder.ts';

/** An index whose segments can be saved: a segment object stays the same while it is in use. */
export interface SegmentedIndex {
  /** Segments in use, the order in which to save and load them. */
  segments(): readonly Segment[];
  /** Adds a saved segment; units for which `isLive` is false stay deleted. */
  load(segment: Segment, isLive: (unit: number) => boolean): void;
  /** Whether some segment still holds units that were removed. */
  holdsRemoved(): boolean;
  /**
   * Live units of segments in which units are dead that `forget` was not given: merging could not tell which words as
   * written only those had, so the live ones are to be added again.
   */
  unitsBesideUnknown(): readonly number[];
  /**
   * Merges segments where there are too many or too many dead units; says what to change where they are saved.
   * @param all whether every dead unit goes, however large its segment. @default false
   */
  compact(all?: boolean): Steps<readonly SegmentChange[]>;
}

export interface SegmentChange {
  readonly dropped: readonly Segment[];
  /** Takes their place; absent when nothing of them was live. */
  readonly added?: Segment;
}

export interface LexicalIndex extends SegmentedIndex {
  readonly postings: Postings;
  /** Makes one new segment of all that `fill` adds; undefined when that is nothing. */
  write(fill: (add: SegmentBuilder['add']) => Steps<void>): Steps<Segment | undefined>;
  /**
   * Reads units that were removed once more, so that merging drops the words as written that only they had.
   * @param fill adds those of `units`, which are in one segment
   */
  forget(
    removed: ReadonlySet<number>,
    fill: (add: SegmentBuilder['add'], units: ReadonlySet<number>) => Steps<void>,
  ): Steps<void>;
}

export type LexicalOptions = Omit<SegmentOptions, 'fieldCount'> & PostingsOptions;

/** Starts without segments. */
export function createLexicalIndex(options: LexicalOptions): LexicalIndex {
  const postings = createPostings(options);
  const live = postings.segments;
  const keepsSurfaces = options.foldSurface !== undefined;
  /** The dead units of a segment, as segments of their own. */
  const forgotten = new WeakMap<Segment, readonly Segment[]>();
  const forgottenOf = (segment: Segment) => forgotten.get(segment) ?? [];

  /** Segments with live units and dead ones; without live ones a segment is dropped as it is. */
  const partlyDead = () => live.all.filter(({ dead, live }) => live > 0 && live < dead.length);

  function* build(fill: (add: SegmentBuilder['add']) => Steps<void>): Steps<Segment> {
    const builder = createSegmentBuilder({ ...options, fieldCount: options.fields.length });
    yield* fill(builder.add);
    return yield* builder.build();
  }

  function* mergeGroup(indices: readonly number[]): Steps<SegmentChange> {
    const group = indices.map((index) => live.all[index]!);
    const merged = yield* mergeSegments(
      group.map((one) => one.segment),
      (index, local) => group[index]!.dead[local] === 0,
      forgottenOf,
    );
    const dropped = group.map((one) => one.segment);
    return merged.units.length > 0 ? { dropped, added: merged } : { dropped };
  }

  return {
    postings,
    segments: () => live.all.map((one) => one.segment),
    load: live.add,
    holdsRemoved: () => live.all.some(({ dead, live }) => live < dead.length),
    unitsBesideUnknown() {
      if (!keepsSurfaces) return [];
      return partlyDead().flatMap(({ segment, dead, live }) => {
        const known = forgottenOf(segment).reduce((sum, { units }) => sum + units.length, 0);
        return known === dead.length - live ? [] : [...segment.units.filter((_, local) => dead[local] === 0)];
      });
    },

    *compact(all = false) {
      const changes: SegmentChange[] = [];
      for (let plan = currentPlan(); plan.length > 0; plan = currentPlan()) {
        // Merge first, replace after: the plan's indices hold only until the list changes.
        const round: SegmentChange[] = [];
        for (const group of plan) round.push(yield* mergeGroup(group));
        for (const { dropped, added } of round) live.replace(dropped, added);
        changes.push(...round);
      }
      return changes;

      function currentPlan(): readonly (readonly number[])[] {
        return planMerge(
          live.all.map(({ segment, live }) => ({
            units: segment.units.length,
            live,
            bytes: segmentBytes(segment),
          })),
          all,
        );
      }
    },

    *write(fill) {
      const segment = yield* build(fill);
      if (segment.units.length === 0) return undefined;
      live.add(segment);
      return segment;
    },

    *forget(removed, fill) {
      if (!keepsSurfaces) return;
      for (const { segment, dead } of partlyDead()) {
        const units = new Set(segment.units.filter((unit, local) => dead[local] === 1 && removed.has(unit)));
        if (units.size === 0) continue;
        const one = yield* build((add) => fill(add, units));
        forgotten.set(segment, [...forgottenOf(segment), one]);
      }
    },
  };
}
