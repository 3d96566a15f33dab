/** What the keyword, code and document indexes share: texts become segments, which are scored, saved and merged. */
import { RANKING } from '../model/ranking-constants.ts';
import { atOnce, type Steps } from '../steps.ts';
import type { Bm25fField } from './bm25f.ts';
import type { LiveSegment } from './live-segments.ts';
import { type CollectionStatistics, createPostings } from './postings.ts';
import type { Segment } from './segment.ts';
import { createSegmentBuilder, type SegmentBuilder, type SegmentOptions } from './segment-builder.ts';

/** An index whose segments can be saved. A `LiveSegment` stays the same object while it is in use. */
export type SegmentedIndex = Omit<ReturnType<typeof createLexicalIndex<never>>, 'postings'>;

export interface Bm25Options {
  /** 0 or more. @default 1.2 */
  readonly k1?: number;
  /** 0–1, used for all fields. @default 0.75 */
  readonly b?: number;
  /** @default the statistics of the live units */
  readonly statistics?: CollectionStatistics;
}

interface LexicalOptions<Entry> extends Omit<SegmentOptions, 'fieldCount'> {
  readonly fields: readonly Pick<Bm25fField, 'name' | 'weight'>[];
  readonly unitOf: (entry: Entry) => number;
  /** Adds the texts of an entry. Works in steps if a text can be long. */
  readonly read: (add: SegmentBuilder['add'], entry: Entry) => Steps<void> | void;
}

export function createLexicalIndex<Entry>(
  { k1 = RANKING.words.k1, b = RANKING.words.b, statistics }: Bm25Options,
  options: LexicalOptions<Entry>,
) {
  const { unitOf, read } = options;
  const postings = createPostings({
    fields: options.fields.map((field) => ({ ...field, b })),
    k1,
    statistics,
  });
  const live = postings.segments;
  const keepsSurfaces = options.foldSurface !== undefined;
  /** By segment: small segments of its removed units. A merge subtracts the spelling frequencies of these small segments. */
  const forgotten = new WeakMap<LiveSegment, readonly Segment[]>();
  const forgottenOf = (segment: LiveSegment) => forgotten.get(segment) ?? [];

  /** Segments with both live and dead units. A segment without live units is dropped as a whole. */
  const partlyDead = () => live.all.filter(({ dead, live }) => live > 0 && live < dead.length);

  function* build(entries: Iterable<Entry>): Steps<Segment> {
    const builder = createSegmentBuilder({ ...options, fieldCount: options.fields.length });
    for (const entry of entries) {
      const steps = read(builder.add, entry);
      if (steps) yield* steps;
      yield;
    }
    return yield* builder.build();
  }

  /** Does the work of `add`, one entry per step. Do not add or remove anything else before the last step. */
  function* addInSteps(entries: readonly Entry[]): Steps<Segment | undefined> {
    const latest = new Map(entries.map((entry) => [unitOf(entry), entry]));
    const segment = yield* build(latest.values());
    // A unit whose new entry has no text leaves the index.
    live.remove(latest.keys());
    if (segment.units.length === 0) return undefined;
    live.add(segment);
    return segment;
  }

  return {
    postings,
    /** Adds entries as one segment in place of older entries of the same units. Returns undefined if the entries hold no text. */
    add: (entries: readonly Entry[]) => atOnce(addInSteps(entries)),
    addInSteps,
    remove: live.remove,
    /** Returns the segments in use, and loads those that were unloaded. */
    segments: (): readonly Segment[] => live.all.map((one) => one.segment),
    /** Returns the number of live units, and their mean number of positions by field. */
    statistics: (): Pick<CollectionStatistics, 'count' | 'averageLengths'> => ({
      count: postings.unitCount(),
      averageLengths: options.fields.map((_, field) => postings.averageLength(field)),
    }),
    /** Adds a saved segment; units for which `isLive` is false are treated as deleted. */
    load: live.add,
    /** Whether a segment holds the unit, and it is live. */
    has: (unit: number) => live.locate(unit) !== undefined,
    /** The same segments with their live units, in the order in which to save and load them. */
    liveSegments: live.all,
    /** Replaces segments by one segment with all their live units. It may have other units, too. Undefined if none are live. */
    replace: live.replace,
    /** Returns segments that are made of removed units of a segment. */
    forgottenOf,
    /** Whether a segment still holds units that were removed. */
    holdsRemoved: () => live.all.some(({ dead, live }) => live < dead.length),
    /**
     * Returns the live units that must be added again. They share a segment with removed units that `forgetInSteps` did not get: a
     * merge does not know the words of these removed units, so it would keep their spellings.
     */
    unitsBesideUnknown(): readonly number[] {
      if (!keepsSurfaces) return [];
      return partlyDead().flatMap((segment) => {
        const { units, dead, live } = segment;
        const known = forgottenOf(segment).reduce((sum, { units }) => sum + units.length, 0);
        return known === dead.length - live ? [] : [...units.filter((_, local) => dead[local] === 0)];
      });
    },

    /** Reads removed entries again, so that the next merge can also drop the spellings that only these entries had. */
    *forgetInSteps(entries: readonly Entry[]): Steps<void> {
      if (!keepsSurfaces) return;
      for (const segment of partlyDead()) {
        const units = new Set(segment.units.filter((_, local) => segment.dead[local] === 1));
        const gone = entries.filter((entry) => units.has(unitOf(entry)));
        if (gone.length > 0) forgotten.set(segment, [...forgottenOf(segment), yield* build(gone)]);
      }
    },
  };
}
