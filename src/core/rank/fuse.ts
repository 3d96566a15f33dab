/** Fusion: merges the scores of all lanes for each candidate, by score (convex) or by rank. Also scales the weights of lanes. */
import type { Lane } from '../model/ranking-constants.ts';

/** Numbers by lane. An absent weight or score is 0; an absent factor is 1. */
export type LaneValues = Readonly<Partial<Record<Lane, number>>>;

/**
 * Returns a factor that lowers the weight of a ranking whose scores hardly differ, because such scores do not separate its
 * candidates: `max(minFactor, min(1, variance / threshold))`.
 * @param threshold minimum variance for full weight; above 0. Scores between 0 and 1 have a variance of at most 0.25
 */
export function varianceFactor(variance: number, threshold: number, minFactor: number): number {
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

/**
 * Convex fusion: `Σ weight · score / Σ weight` for each candidate, 0–1; 0 if all weights are 0.
 * @param weights 0 or more
 * @param columnOf returns the scores of a lane for all candidates, each 0–1; undefined means 0 for all
 * @see Bruch, Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval"
 */
export function fuseConvex(
  weights: LaneValues,
  columnOf: (lane: Lane) => Float64Array | undefined,
  candidates: number,
): Float64Array {
  const fused = new Float64Array(candidates);
  let total = 0;
  for (const [lane, weight] of Object.entries(weights) as [Lane, number][]) {
    total += weight;
    const values = columnOf(lane);
    if (!values) continue;
    for (let index = 0; index < candidates; index++) fused[index]! += weight * values[index]!;
  }
  if (total === 0) return fused;
  for (let index = 0; index < candidates; index++) fused[index]! /= total;
  return fused;
}

/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): `Σ weight / (k + rank)` for every candidate; the first rank is 1.
 * @param lanes for each lane, the indexes of its candidates, best first; a lane without a ranking is absent
 * @param k rank offset; larger values make the top ranks more equal
 * @param weights a ranking is ignored if its weight is absent or 0
 */
export function fuseReciprocal(
  lanes: Readonly<Partial<Record<Lane, { readonly ranked: readonly number[] }>>>,
  weights: LaneValues,
  k: number,
  candidates: number,
): Float64Array {
  const fused = new Float64Array(candidates);
  for (const [lane, { ranked }] of Object.entries(lanes)) {
    const weight = weights[lane as Lane] ?? 0;
    for (const [index, place] of ranked.entries()) fused[place]! += weight / (k + index + 1);
  }
  return fused;
}

/** Total weight that reciprocal-rank scores are rescaled to: two rankings of weight 1. The sigmoid expects this scale. */
const RESCALED_WEIGHT = 2;

/**
 * Rescales a reciprocal-rank score, so that the best possible score is `2 / (k + 1)` for any number of rankings. Without
 * this, all passages of a search with one ranking would be below the default `min_confidence`. With the default `k` of 60,
 * the best possible score is 0.033. The sigmoid then gives a confidence of 0.42, because its threshold is 0.035.
 * @param totalWeight sum of the weights of all rankings
 */
export function rescaleReciprocal(fused: number, totalWeight: number): number {
  return totalWeight > 0 ? (fused * RESCALED_WEIGHT) / totalWeight : 0;
}
