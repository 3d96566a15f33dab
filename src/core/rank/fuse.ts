/**
 * Fusion: merges the scores of all lanes for each candidate, either by score (differences in score have an effect) or
 * by rank alone.
 */
import type { Lane } from '../model/ranking-constants.ts';

/** Values by lane; 0 where absent. */
export type LaneValues = Readonly<Partial<Record<Lane, number>>>;

/**
 * Convex fusion: `Σ weight · x / Σ weight` for each candidate, 0–1; 0 if all weights are 0.
 * @param weights 0 or more
 * @param columnOf a lane's value for every candidate, 0–1; a lane without values has 0
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
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): `Σ weight / (k + rank)` for every candidate; the first
 * rank is 1.
 * @param lanes candidates by index, best first; a lane without a ranking is absent
 * @param k rank offset; larger values make the top ranks more equal
 * @param weights by lane; a ranking with an absent weight or 0 is ignored
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

/** Reciprocal-rank scores are rescaled to two rankings of full weight, so that one ranking alone can reach the threshold. */
const FULL_WEIGHT = 2;

/** Rescales a reciprocal-rank score from `totalWeight` to two rankings of weight 1. */
export function rescaleReciprocal(fused: number, totalWeight: number): number {
  return totalWeight > 0 ? (fused * FULL_WEIGHT) / totalWeight : 0;
}
