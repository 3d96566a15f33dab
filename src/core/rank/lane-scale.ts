/** Scales the scores of a lane to 0–1: relative to the best of the query, and in absolute units. */
import type { LaneScores } from '../model/candidates.ts';
import { type Explanation, leaves } from '../model/hit.ts';
import type { Lane, RankingConstants } from '../model/ranking-constants.ts';

type CosineScale = RankingConstants['cosine'];

/** The scaled scores of one lane for all candidates, in their order. */
export interface LaneColumn {
  /** 0–1; 1 is the best of this query. Convex fusion uses these scores. */
  readonly relative: Float64Array;
  /** 0–1, comparable between queries. The absolute score is their weighted mean. */
  readonly absolute: Float64Array;
}

/** Columns by lane, all of the same length; absent for a lane that takes no part. */
export type LaneColumns = Readonly<Partial<Record<Lane, LaneColumn>>>;

export interface LaneScale {
  /** Works on columns, because objects for hundreds of candidates in every lane took most of the time of fusion. */
  readonly apply: (lane: LaneScores, constants: CosineScale) => LaneColumn;
  /** Returns the parts of a scaled score. @param found explanation of the unscaled score, then of its factors */
  readonly explain: (
    found: readonly [score: Explanation, ...factors: readonly Explanation[]],
    scale: 'relative' | 'absolute',
    lane: Omit<LaneScores, 'scores' | 'shares'>,
    constants: CosineScale,
  ) => readonly Explanation[];
}

/**
 * Scale of cosines. Relative: 0 at the median of all passages, 1 at the best cosine of the query, or at `median + minSpan` if that
 * is higher. Absolute: 0 at `floor`, 1 at `floor + span`.
 */
export const COSINE_SCALE: LaneScale = {
  apply({ scores, best, median = 0 }, constants) {
    const span = Math.max(best - median, constants.minSpan);
    return {
      // Scores below the median become 0, never negative: a low cosine must not lower the sum.
      relative: scores.map((score) => (span > 0 ? clamp((score - median) / span) : 0)),
      absolute: scores.map((score) => cosineShare(score, constants)),
    };
  },
  explain([score], scale, { best, median = 0 }, { floor, span, minSpan }) {
    const parts = { 'cosine of unrelated texts': floor, span };
    const limits = { 'median of all passages': median, 'best of this query': best, 'minimum span': minSpan };
    return [score, ...leaves(scale === 'absolute' ? parts : limits)];
  },
};

/** Scale of other scores. Relative: score divided by `best`, times the factor in `shares`. Absolute: score divided by `bound`. */
export const SCALE_TO_BEST: LaneScale = {
  apply({ scores, shares, best, bound = 0 }) {
    return {
      relative: scores.map((score, place) => (best > 0 ? clamp(score / best) * (shares?.[place] ?? 1) : 0)),
      absolute: scores.map((score) => (bound > 0 ? clamp(score / bound) : 0)),
    };
  },
  explain([score, ...factors], scale, { best, bound = 0 }) {
    if (scale === 'absolute') return leaves({ BM25: score.value, 'upper bound': bound });
    return [score, ...leaves({ 'best of this query': best }), ...factors];
  },
};

/** Scales a cosine: 0 for unrelated texts, 1 for equal texts. */
export function cosineShare(cosine: number, { floor, span }: CosineScale): number {
  return clamp((cosine - floor) / span);
}

/** Whether a share is 1. Has a tolerance, because a sum of the same parts in another order may be slightly less. */
export function isWhole(share: number): boolean {
  return share >= 1 - 1e-9;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
