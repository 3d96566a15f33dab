/** Convex fusion: a weighted sum of every lane's score for every candidate, so that margins count and not only ranks. */
import type { Lane } from '../model/hit.ts';

/** Values by lane; an absent lane counts 0. */
export type LaneValues = Readonly<Partial<Record<Lane, number>>>;

/**
 * `Σ weight · x / Σ weight` for many candidates at once.
 * @param columns weight of each lane, 0 or more, and its value for every candidate, 0–1; a lane without values counts 0
 * @param fused receives one sum for each candidate, 0–1; 0 when all weights are 0
 * @see Bruch, Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval"
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
