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
  /** Merges segments where there are too many or too many dead units; says what to change where they are saved. */
  compact(): Steps<readonly SegmentChange[]>;
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
}

export type LexicalOptions = Omit<SegmentOptions, 'fieldCount'> & PostingsOptions;

/** Starts without segments. */
export function createLexicalIndex(options: LexicalOptions): LexicalIndex {
  const postings = createPostings(options);
  const live = postings.segments;

  function* mergeGroup(indices: readonly number[]): Steps<SegmentChange> {
    const group = indices.map((index) => live.all[index]!);
    const merged = yield* mergeSegments(
      group.map((one) => one.segment),
      (index, local) => group[index]!.dead[local] === 0,
    );
    const dropped = group.map((one) => one.segment);
    return merged.units.length > 0 ? { dropped, added: merged } : { dropped };
  }

  return {
    postings,
    segments: () => live.all.map((one) => one.segment),
    load: live.add,

    *compact() {
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
        );
      }
    },

    *write(fill) {
      const builder = createSegmentBuilder({ ...options, fieldCount: options.fields.length });
      yield* fill(builder.add);
      const segment = yield* builder.build();
      if (segment.units.length === 0) return undefined;
      live.add(segment);
      return segment;
    },
  };
}
