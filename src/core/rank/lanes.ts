/** The candidates' scores in each lane, brought to one scale: relative to this query's best, and in absolute units. */
import type { Lane, Ranking } from '../model/hit.ts';

/** One lane of every candidate, in their order. */
export interface LaneColumn {
  /** As the retriever gave them: cosines, or BM25 sums. */
  readonly raw: Float64Array;
  /** 0–1 where 1 is the best of this query; the convex fusion adds these up. */
  readonly relative: Float64Array;
  /** Comparable between queries; evidence is added up from these. */
  readonly absolute: Float64Array;
}

/** Columns by lane, equally long; absent for a lane that takes no part. */
export type LaneColumns = Readonly<Partial<Record<Lane, LaneColumn>>>;

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
 * Scales the scores of one ranking for one query; columns, because objects for hundreds of candidates in six lanes took
 * most of the time of fusion.
 * @param ranking its best score of all is the maximum; semantic scores are measured from the median of all chunks, and
 * those of names count by the share of the name that the query says
 * @param slots of the candidates
 */
export function laneColumn(ranking: Ranking, slots: readonly number[]): LaneColumn {
  const { best, median = 0, bound = 0, scoreOf, shareOf } = ranking;
  const isCosine = ranking.lane === 'semantic';
  const floor = isCosine ? median : 0;
  const span = isCosine ? Math.max(best - median, LEAST_SPAN) : best;
  const raw = new Float64Array(slots.length);
  const relative = new Float64Array(slots.length);
  const absolute = new Float64Array(slots.length);
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!;
    const score = scoreOf(slot);
    const share = score > 0 && shareOf ? shareOf(slot).value : 1;
    raw[place] = score;
    // A chunk below the median is no evidence against itself: the lane bottoms out at 0.
    relative[place] = span > 0 ? clamp((score - floor) / span) * share : 0;
    if (isCosine) absolute[place] = cosineShare(score);
    else if (bound > 0) absolute[place] = clamp(score / bound);
  }
  return { raw, relative, absolute };
}

/** A cosine on a scale where unrelated texts have 0 and equal ones 1. */
export function cosineShare(cosine: number): number {
  return clamp((cosine - COSINE_FLOOR) / COSINE_SPAN);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
