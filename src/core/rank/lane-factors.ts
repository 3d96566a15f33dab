/** Weights of lanes for one query: factors, and what they do to the weights. */
import type { LaneValues } from './fuse.ts';

/** A ranking whose scores hardly differ cannot tell its candidates apart and counts less. */
export interface VarianceRule {
  /** Variance from which a ranking keeps its full weight; above 0. Scores between 0 and 1 cannot vary by more than 0.25. */
  readonly threshold: number;
  /** Least factor, 0–1. */
  readonly minFactor: number;
}

/** `max(minFactor, min(1, variance / threshold))`. */
export function varianceFactor(variance: number, { threshold, minFactor }: VarianceRule): number {
  return Math.max(minFactor, Math.min(1, variance / threshold));
}

/**
 * Variance of scores brought to 0–1 by their own least and greatest: those of BM25 and cosine cannot be compared.
 * @returns undefined for fewer than two scores, which say nothing about how they differ; 0 when all are equal
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
 * Factor for finding by words: if no passage holds more than one word of the query, words say little. `min(1,
 * coverage · terms / min(terms, enough))`: a passage that holds a fifth of the idf of four words holds less
 * than one of them, and says what it says by chance; of twenty words it holds four.
 * @param coverage largest share of the query's idf that a passage holds, 0–1
 * @param terms words of the query, at least 1
 * @param enough words of the query that one passage has to hold for full weight; of a shorter query, all
 */
export function coverageFactor(coverage: number, terms: number, enough: number): number {
  return Math.min(1, (coverage * terms) / Math.min(terms, enough));
}

/**
 * Each weight times its factor, then all rescaled to the former sum.
 * @param factors by lane, 1 where absent; when nothing would be left, the weights stay as they are
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
