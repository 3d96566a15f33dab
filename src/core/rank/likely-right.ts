/** How likely a document is the right one, read off its lead over those ranked below it. */

/** Logistic regression on first hits of six judged sets (`bench/fit-lead.ts`; decision 64). */
const INTERCEPT = -0.36;
const NEXT = 3.31;
const FURTHER = 3.06;

/** A longer lead adds nothing. */
const MAX_NEXT = 0.5;
const MAX_FURTHER = 0.6;

/**
 * The probability, 0–1, that a document with this lead is relevant. It does not know whether anything here answers the
 * query: that is what confidence says.
 * @param fused of the document, by convex fusion
 * @param below fused scores of the documents ranked below it, best first; the first five count
 */
export function likelyRight(fused: number, below: readonly number[]): number {
  const [next = 0, ...others] = below.slice(0, 5);
  const mean = others.length === 0 ? 0 : others.reduce((sum, each) => sum + each, 0) / others.length;
  const lead = Math.min(MAX_NEXT, Math.max(0, fused - next));
  const further = Math.min(MAX_FURTHER, fused - mean);
  return 1 / (1 + Math.exp(-(INTERCEPT + NEXT * Math.sqrt(lead) + FURTHER * further)));
}
