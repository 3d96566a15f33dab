/** A candidate's score in each lane, brought to one scale: relative to this query's best, and in absolute units. */
import type { Ranking } from '../model/hit.ts';

/** One lane of one candidate. */
export interface LaneScore {
  /** As the retriever gave it: a cosine, or a BM25 sum. */
  readonly raw: number;
  /** 0–1 where 1 is the best of this query; the convex fusion adds these up. */
  readonly relative: number;
  /** Comparable between queries; confidence is read off these. */
  readonly absolute: number;
}

/** Cosines of this model family between unrelated texts lie around this. */
export const COSINE_FLOOR = 0.5;
/** How far above it a cosine of equal texts lies. */
export const COSINE_SPAN = 0.4;

/**
 * Least distance from median to best that counts as a full difference. In a handful of notes the best cosine may lie
 * a hair above the median; stretched to 0–1 such noise would outvote the words. No judged set loses by it.
 */
export const LEAST_SPAN = 0.25;

/**
 * Prepares the scale of one ranking for one query.
 * @param ranking its best score of all is the maximum; semantic scores are measured from the median of all chunks, and
 * those of names count by the share of the name that the query says
 */
export function laneScale(ranking: Ranking): (slot: number) => LaneScore {
  const { best, shareOf } = ranking;
  if (ranking.lane === 'semantic') {
    const floor = ranking.median ?? 0;
    const span = Math.max(best - floor, LEAST_SPAN);
    return (slot) => {
      const raw = ranking.scoreOf(slot);
      return {
        raw,
        // A chunk below the median is no evidence against itself: the lane bottoms out at 0.
        relative: clamp((raw - floor) / span),
        absolute: cosineShare(raw),
      };
    };
  }
  return (slot) => {
    const raw = ranking.scoreOf(slot);
    const share = raw > 0 && shareOf ? shareOf(slot).value : 1;
    return {
      raw,
      relative: best > 0 ? clamp(raw / best) * share : 0,
      absolute: ranking.bound ? clamp(raw / ranking.bound) : 0,
    };
  };
}

/** A cosine on a scale where unrelated texts have 0 and equal ones 1. */
export function cosineShare(cosine: number): number {
  return clamp((cosine - COSINE_FLOOR) / COSINE_SPAN);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
