/** The candidates' scores in each lane, brought to one scale: relative to this query's best, and in absolute units. */
import type { Lane, Ranking } from '../model/hit.ts';
import type { CosineScale } from '../model/ranking-constants.ts';

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

/**
 * Scales the scores of one ranking for one query; columns, because objects for hundreds of candidates in six lanes took
 * most of the time of fusion.
 * @param ranking its best score of all is the maximum; semantic scores are measured from the median of all chunks, and
 * those of names count by the share of the name that the query says
 * @param slots of the candidates
 */
export function laneColumn(ranking: Ranking, slots: readonly number[], scale: CosineScale): LaneColumn {
  const { best, median = 0, bound = 0, scoreOf, shareOf } = ranking;
  const isCosine = ranking.lane === 'semantic';
  const floor = isCosine ? median : 0;
  const span = isCosine ? Math.max(best - median, scale.leastSpan) : best;
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
    if (isCosine) absolute[place] = cosineShare(score, scale);
    else if (bound > 0) absolute[place] = clamp(score / bound);
  }
  return { raw, relative, absolute };
}

/** A cosine on a scale where unrelated texts have 0 and equal ones 1. */
export function cosineShare(cosine: number, { floor, span }: CosineScale): number {
  return clamp((cosine - floor) / span);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
