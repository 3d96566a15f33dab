/** Convex fusion: a weighted sum of every lane's score for every candidate, so that margins count and not only ranks. */
import type { Lane } from '../model/ranking-constants.ts';

/** Values by lane; an absent lane counts 0. */
export type LaneValues = Readonly<Partial<Record<Lane, number>>>;

/**
 * `Σ weight · x / Σ weight` for many candidates at once, each 0–1; 0 when all weights are 0.
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
