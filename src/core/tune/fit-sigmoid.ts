/** Fits the curve that gives confidence for evidence: logistic regression with one variable. */
import type { Sigmoid } from '../rank/confidence.ts';

/** Evidence of the best hit of a query, and whether the hit was relevant. */
export interface EvidenceOutcome {
  /** The weighted sum, or the logit of the confidence model. */
  readonly evidence: number;
  readonly correct: boolean;
}

/** Number of steps of Newton's method, which needs only a few to converge. */
const STEPS = 30;
/** Regularisation. Keeps the solution finite if all outcomes are separable; too small to affect a fit to a thousand outcomes. */
const RIDGE = 1e-3;

/**
 * Fits a sigmoid to the smoothed targets of Platt 1999, "Probabilistic Outputs for Support Vector Machines". Smoothed targets
 * keep the slope finite if there are few outcomes, or if the outcomes are separable.
 * @returns undefined if all outcomes are right or all are wrong, or if hits with more evidence were not right more often
 */
export function fitSigmoid(outcomes: readonly EvidenceOutcome[]): Sigmoid | undefined {
  const right = outcomes.filter(({ correct }) => correct).length;
  const wrong = outcomes.length - right;
  if (right === 0 || wrong === 0) return undefined;
  const high = (right + 1) / (right + 2);
  const low = 1 / (wrong + 2);
  let [slope, intercept] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    let [bySlope, byIntercept] = [RIDGE * slope, RIDGE * intercept];
    let [curve, mixed, level] = [RIDGE, 0, RIDGE];
    for (const { evidence, correct } of outcomes) {
      const p = 1 / (1 + Math.exp(-(slope * evidence + intercept)));
      const error = p - (correct ? high : low);
      const spread = p * (1 - p);
      bySlope += error * evidence;
      byIntercept += error;
      curve += spread * evidence * evidence;
      mixed += spread * evidence;
      level += spread;
    }
    const determinant = curve * level - mixed * mixed;
    slope -= (level * bySlope - mixed * byIntercept) / determinant;
    intercept -= (curve * byIntercept - mixed * bySlope) / determinant;
  }
  return slope > 0 ? { threshold: -intercept / slope, steepness: slope } : undefined;
}
