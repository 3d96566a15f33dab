/** Factors of lane weights for one query, and how they change the weights. */
import type { LaneValues } from './fuse.ts';

/** Lowers the weight of a ranking whose scores hardly differ, because such scores do not separate its candidates. */
export interface VarianceRule {
  /** Minimum variance for full weight; above 0. Scores between 0 and 1 have a variance of at most 0.25. */
  readonly threshold: number;
  /** Minimum factor, 0–1. */
  readonly minFactor: number;
}

/** `max(minFactor, min(1, variance / threshold))`. */
export function varianceFactor(variance: number, { threshold, minFactor }: VarianceRule): number {
  return Math.max(minFactor, Math.min(1, variance / threshold));
}

/**
 * Variance of scores after scaling them to 0–1 by their minimum and maximum: BM25 scores and cosines have different
 * ranges.
 * @returns undefined for fewer than two scores; 0 if all are equal
 */
export function normalizedVariance(scores: readonly number[]): number | undefined {
  if (scores.length < 2) return undefined;
  const least = scores.reduce((a, b) => Math.min(a, b));
  const span = scores.reduce((a, b) => Math.max(a, b)) - least;
  if (span === 0) return 0;
  const normalized = scores.map((score) => (score - least) / span);
  const mean = normalized.reduce((sum, score) => sum + score, 0) / scores.length;
  return normalized.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length;
}

/**
 * Returns the factor for keyword lanes: `min(1, coverage · terms / min(terms, enough))`. It is below 1 if no passage holds
 * enough words of the query, because one word can match by chance. The share alone does not show this: a fifth of four
 * words is less than one word, a fifth of twenty words is four words.
 * @param coverage largest share of the query's idf that a passage holds, 0–1
 * @param terms number of words in the query, at least 1
 * @param enough number of words that one passage must hold for full weight; for a shorter query, all its words
 */
export function coverageFactor(coverage: number, terms: number, enough: number): number {
  return Math.min(1, (coverage * terms) / Math.min(terms, enough));
}

/**
 * Multiplies each weight by its factor, then rescales all weights to the former sum. If all products are 0, returns the
 * weights unchanged.
 * @param factors by lane; 1 where absent
 */
export function scaleWeights(weights: LaneValues, factors: LaneValues): LaneValues {
  const scaled = mapLanes(weights, (weight, lane) => weight * (factors[lane] ?? 1));
  const left = total(scaled);
  if (left === 0) return weights;
  const rescale = total(weights) / left;
  return mapLanes(scaled, (weight) => weight * rescale);
}

function mapLanes(values: LaneValues, change: (value: number, lane: keyof LaneValues) => number): LaneValues {
  const entries = Object.entries(values) as [keyof LaneValues, number][];
  return Object.fromEntries(entries.map(([lane, value]) => [lane, change(value, lane)]));
}

function total(values: LaneValues): number {
  return Object.values(values).reduce((sum, value) => sum + value, 0);
}
