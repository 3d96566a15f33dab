/** Brings the scores of a lane to one scale: relative to the best of this query, and in absolute units. */
import type { LaneScores } from '../model/candidates.ts';
import { type Explanation, leaves } from '../model/hit.ts';
import type { CosineScale, Lane } from '../model/ranking-constants.ts';

/** One lane of every candidate, in their order. */
export interface LaneColumn {
  /** As they were found: cosines, or BM25 sums. */
  readonly raw: Float64Array;
  /** 0–1 where 1 is the best of this query; the convex fusion adds these up. */
  readonly relative: Float64Array;
  /** Comparable between queries; evidence is added up from these. */
  readonly absolute: Float64Array;
}

/** Columns by lane, equally long; absent for a lane that takes no part. */
export type LaneColumns = Readonly<Partial<Record<Lane, LaneColumn>>>;

/** How the scores of a lane become numbers from 0 to 1, and how that is explained. */
export interface LaneScale {
  /** Columns, because objects for hundreds of candidates in six lanes took most of the time of fusion. */
  readonly apply: (lane: LaneScores, constants: CosineScale) => LaneColumn;
  /**
   * What a scaled number was made of.
   * @param found the score itself, taken apart as far as possible, and what multiplies it
   */
  readonly explain: (
    found: readonly [score: Explanation, ...factors: readonly Explanation[]],
    scale: 'relative' | 'absolute',
    lane: Omit<LaneScores, 'scores' | 'shares'>,
    constants: CosineScale,
  ) => readonly Explanation[];
}

/** Cosines count from the median of all passages to the best; in absolute units from that of unrelated texts. */
export const COSINE_SCALE: LaneScale = {
  apply({ scores, best, median = 0 }, constants) {
    const span = Math.max(best - median, constants.minSpan);
    return {
      raw: scores,
      // A passage below the median is no evidence against itself: the lane bottoms out at 0.
      relative: scores.map((score) => (span > 0 ? clamp((score - median) / span) : 0)),
      absolute: scores.map((score) => cosineShare(score, constants)),
    };
  },
  explain([score], scale, { best, median = 0 }, { floor, span, minSpan }) {
    const parts = { 'cosine of unrelated texts': floor, span };
    const limits = { 'median of all chunks': median, 'best of this query': best, 'least span': minSpan };
    return [score, ...leaves(scale === 'absolute' ? parts : limits)];
  },
};

/** Scores count as shares of the best; in absolute units, of the largest that the query could reach. */
export const SCALE_TO_BEST: LaneScale = {
  apply({ scores, shares, best, bound = 0 }) {
    return {
      raw: scores,
      relative: scores.map((score, place) => (best > 0 ? clamp(score / best) * (shares?.[place] ?? 1) : 0)),
      absolute: scores.map((score) => (bound > 0 ? clamp(score / bound) : 0)),
    };
  },
  explain([score, ...factors], scale, { best, bound = 0 }) {
    if (scale === 'absolute') return leaves({ BM25: score.value, 'upper bound': bound });
    return [score, ...leaves({ 'best of this query': best }), ...factors];
  },
};

/** A cosine on a scale where unrelated texts have 0 and equal ones 1. */
export function cosineShare(cosine: number, { floor, span }: CosineScale): number {
  return clamp((cosine - floor) / span);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
