/**
 * Turns scores into confidences: the curve, the order that confidences must keep, and the probability that the best
 * document is right.
 */

/** Parameters of the curve: the score at confidence 0.5, and the steepness there. */
export interface Sigmoid {
  readonly threshold: number;
  readonly steepness: number;
}

/** `1 / (1 + e^(−steepness · (score − threshold)))`. */
export function sigmoid(score: number, { threshold, steepness }: Sigmoid): number {
  return 1 / (1 + Math.exp(-steepness * (score - threshold)));
}

/** Confidences in ranking order, each limited to the one before. Fusion alone decides the order. */
export function neverRising(confidences: readonly number[]): number[] {
  let ceiling = 1;
  return confidences.map((confidence) => {
    ceiling = Math.min(ceiling, Math.max(0, confidence));
    return ceiling;
  });
}

/** Logistic regression on first hits of six judged sets (`bench/fit-lead.ts`; decision 64). */
const LEAD = { intercept: -0.36, next: 3.31, further: 3.06 };

/** A larger lead over the next documents adds nothing. */
const MAX_NEXT = 0.5;
const MAX_FURTHER = 0.6;

/**
 * The probability, 0–1, that a document is relevant, from its lead over the documents ranked below it. It assumes that
 * the index has an answer; confidence says whether it has.
 * @param fused of the document, by convex fusion
 * @param below fused scores of the documents ranked below it, best first; only the first five are used
 */
export function likelyRight(fused: number, below: readonly number[]): number {
  const [next = 0, ...others] = below.slice(0, 5);
  const mean = others.length === 0 ? 0 : others.reduce((sum, each) => sum + each, 0) / others.length;
  const lead = Math.min(MAX_NEXT, Math.max(0, fused - next));
  const further = Math.min(MAX_FURTHER, fused - mean);
  return 1 / (1 + Math.exp(-(LEAD.intercept + LEAD.next * Math.sqrt(lead) + LEAD.further * further)));
}
