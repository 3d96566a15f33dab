/** Convex fusion: a weighted sum of every lane's score for every candidate, so that margins count and not only ranks. */
import type { Lane } from '../model/hit.ts';

/** Values by lane; an absent lane counts 0. */
export type LaneValues = Readonly<Partial<Record<Lane, number>>>;

/**
 * Prepares `Σ weight · x / Σ weight` over the lanes of `weights`, for hundreds of candidates of one query.
 * @returns a function of a lane's value, each 0–1; it gives 0–1, and 0 when all weights are 0
 * @see Bruch, Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval"
 */
export function convexFusion(weights: LaneValues): (read: (lane: Lane) => number) => number {
  const lanes = Object.entries(weights) as [Lane, number][];
  const total = lanes.reduce((sum, [, weight]) => sum + weight, 0);
  return (read) => {
    if (!(total > 0)) return 0;
    let sum = 0;
    for (const [lane, weight] of lanes) sum += weight * read(lane);
    return sum / total;
  };
}

/**
 * The same sum for many candidates at once, to the last bit.
 * @param columns weight of each lane and its value for every candidate; a lane without values counts 0
 * @param fused receives one sum for each candidate
 */
export function fuseColumns(
  columns: readonly (readonly [weight: number, values: Float64Array | undefined])[],
  fused: Float64Array,
): void {
  fused.fill(0);
  let total = 0;
  for (const [weight, values] of columns) {
    total += weight;
    if (!values) continue;
    for (let index = 0; index < fused.length; index++) fused[index]! += weight * values[index]!;
  }
  if (total === 0) return;
  for (let index = 0; index < fused.length; index++) fused[index]! /= total;
}
