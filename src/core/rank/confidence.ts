/** Turns scores into confidences that never rise from hit to hit, and estimates how likely a document is relevant. */

/** Parameters of the curve: the score at confidence 0.5, and the steepness there. */
export interface Sigmoid {
  readonly threshold: number;
  readonly steepness: number;
}

/** `1 / (1 + e^(−steepness · (score − threshold)))`. */
export function sigmoid(score: number, { threshold, steepness }: Sigmoid): number {
  return 1 / (1 + Math.exp(-steepness * (score - threshold)));
}

/** Limits each confidence to the confidence before it, and to 0–1. The order of hits does not change. */
export function neverRising(confidences: readonly number[]): number[] {
  let ceiling = 1;
  return confidences.map((confidence) => {
    ceiling = Math.min(ceiling, Math.max(0, confidence));
    return ceiling;
  });
}

/** Coefficients of `likelyRight`: logistic regression on first hits of six judged sets (`bench/fit-lead.ts`; decision 64). */
const LEAD = { intercept: -0.36, next: 3.31, further: 3.06 };

/** Max lead in fused score over the next document; a larger lead adds nothing. */
const MAX_NEXT = 0.5;
/** Max lead in fused score over the mean of the documents after the next one. */
const MAX_FURTHER = 0.6;

/**
 * Returns the probability, 0–1, that a document is relevant, from its lead over the documents ranked below it. Assumes that the
 * index has an answer; confidence measures whether it has one.
 * @param fused the fused score of the document, by convex fusion
 * @param below fused scores of the documents ranked below it, best first; only the first five are used
 */
export function likelyRight(fused: number, below: readonly number[]): number {
  const [next = 0, ...others] = below.slice(0, 5);
  const mean = others.length === 0 ? 0 : others.reduce((sum, each) => sum + each, 0) / others.length;
  const lead = Math.min(MAX_NEXT, Math.max(0, fused - next));
  const further = Math.min(MAX_FURTHER, fused - mean);
  return 1 / (1 + Math.exp(-(LEAD.intercept + LEAD.next * Math.sqrt(lead) + LEAD.further * further)));
}
