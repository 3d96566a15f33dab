/** Confidence: turns a fused score into a number in [0, 1] that does not depend on the other hits. */

/** Where the curve stands: fused score of confidence 0.5, and how steep it is there. */
export interface Sigmoid {
  readonly threshold: number;
  readonly steepness: number;
}

/** `1 / (1 + e^(−steepness · (score − threshold)))`. */
export function sigmoid(score: number, { threshold, steepness }: Sigmoid): number {
  return 1 / (1 + Math.exp(-steepness * (score - threshold)));
}

/** Two rankings of full weight: what a reciprocal-rank score is rescaled to, so that one ranking alone can reach the threshold. */
const FULL_WEIGHT = 2;

/** Rescales a reciprocal-rank score from the weights that took part to two rankings of weight 1. */
export function rescaleReciprocal(fused: number, totalWeight: number): number {
  return totalWeight > 0 ? (fused * FULL_WEIGHT) / totalWeight : 0;
}

/** Confidences in ranking order, none above the one before: order is decided by fusion alone. */
export function neverRising(confidences: readonly number[]): number[] {
  let ceiling = 1;
  return confidences.map((confidence) => {
    ceiling = Math.min(ceiling, Math.max(0, confidence));
    return ceiling;
  });
}
