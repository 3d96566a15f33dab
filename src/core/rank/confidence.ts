/** From scores to confidence: the curve, the order it must keep, and how likely the best document is the right one. */

/** Where the curve stands: score of confidence 0.5, and how steep it is there. */
export interface Sigmoid {
  readonly threshold: number;
  readonly steepness: number;
}

/** `1 / (1 + e^(−steepness · (score − threshold)))`. */
export function sigmoid(score: number, { threshold, steepness }: Sigmoid): number {
  return 1 / (1 + Math.exp(-steepness * (score - threshold)));
}

/** Confidences in ranking order, none above the one before: order is decided by fusion alone. */
export function neverRising(confidences: readonly number[]): number[] {
  let ceiling = 1;
  return confidences.map((confidence) => {
    ceiling = Math.min(ceiling, Math.max(0, confidence));
    return ceiling;
  });
}

/** Logistic regression on first hits of six judged sets (`bench/fit-lead.ts`; decision 64). */
const LEAD = { intercept: -0.36, next: 3.31, further: 3.06 };

/** A longer lead adds nothing. */
const MAX_NEXT = 0.5;
const MAX_FURTHER = 0.6;

/**
 * The probability, 0–1, that a document is relevant, read off its lead over those ranked below it. It does not know whether anything here
 * answers the query: that is what confidence says.
 * @param fused of the document, by convex fusion
 * @param below fused scores of the documents ranked below it, best first; the first five count
 */
export function likelyRight(fused: number, below: readonly number[]): number {
  const [next = 0, ...others] = below.slice(0, 5);
  const mean = others.length === 0 ? 0 : others.reduce((sum, each) => sum + each, 0) / others.length;
  const lead = Math.min(MAX_NEXT, Math.max(0, fused - next));
  const further = Math.min(MAX_FURTHER, fused - mean);
  return 1 / (1 + Math.exp(-(LEAD.intercept + LEAD.next * Math.sqrt(lead) + LEAD.further * further)));
}
