/** What finding hands to ranking: passages in columns, the same place in each. */

/** What one lane says of the candidates. */
export interface LaneScores {
  /** By place: cosines, sums of BM25, shares; 0 where nothing matches. */
  readonly scores: Float64Array;
  /** By place, 0–1: what a score relative to the best is multiplied with. @default 1 for all */
  readonly shares?: Float64Array;
  /** The best score of all passages, filtered out or not, so that a filter changes no score. */
  readonly best: number;
  /** Median score of all passages; semantic only. */
  readonly median?: number;
  /** Largest score the query could reach (`Σ idf · (k1 + 1)`); lanes of words only. */
  readonly bound?: number;
}
