/** Fusion: merges the scores of all lanes for each candidate, by the scores themselves (convex) or by rank alone. */
import type { Lane } from '../model/ranking-constants.ts';

/** Numbers by lane. An absent weight or score is 0; an absent factor is 1. */
export type LaneValues = Readonly<Partial<Record<Lane, number>>>;

/**
 * Convex fusion: `Σ weight · x / Σ weight` for each candidate, 0–1; 0 if all weights are 0.
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
 * @param weights a ranking with an absent weight or 0 is ignored
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
