/** Convex fusion: a weighted sum of every lane's score for every candidate, so that margins count and not only ranks. */
import type { Lane } from '../model/hit.ts';

/** Values by lane; an absent lane counts 0. */
export type LaneValues = Readonly<Partial<Record<Lane, number>>>;

/**
 * `Σ weight · x / Σ weight` over the lanes of `weights`.
 * @param values each 0–1
 * @returns 0–1; 0 when all weights are 0
 * @see Bruch, Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval"
 */
export function fuseConvex(values: LaneValues, weights: LaneValues): number {
  let sum = 0;
  let total = 0;
  for (const [lane, weight] of Object.entries(weights) as [Lane, number][]) {
    sum += weight * (values[lane] ?? 0);
    total += weight;
  }
  return total > 0 ? sum / total : 0;
}
