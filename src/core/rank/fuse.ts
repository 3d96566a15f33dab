/** Fusion: merges what the lanes say of every candidate, by scores so that margins count, or by ranks alone. */
import type { Lane } from '../model/ranking-constants.ts';

/** Values by lane; an absent lane counts 0. */
export type LaneValues = Readonly<Partial<Record<Lane, number>>>;

/**
 * Convex fusion: `Σ weight · x / Σ weight` for many candidates at once, each 0–1; 0 when all weights are 0.
 * @param weights 0 or more
 * @param columnOf a lane's value for every candidate, 0–1; a lane without values counts 0
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
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): `Σ weight / (k + rank)` for every candidate, ranks counted from 1.
 * @param lanes places of candidates, best first; a lane without an order has none
 * @param k rank offset; larger values flatten the top
 * @param weights by lane; an absent lane or 0 silences a ranking
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

/** Two rankings of full weight: what a reciprocal-rank score is rescaled to, so that one ranking alone can reach the threshold. */
const FULL_WEIGHT = 2;

/** Rescales a reciprocal-rank score from the weights that took part to two rankings of weight 1. */
export function rescaleReciprocal(fused: number, totalWeight: number): number {
  return totalWeight > 0 ? (fused * FULL_WEIGHT) / totalWeight : 0;
}
