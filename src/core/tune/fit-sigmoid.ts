/** Fits the curve that gives the confidence of a hit: logistic regression with one variable. */
import type { Sigmoid } from '../rank/confidence.ts';

/** The best hit of a query: the input of the curve, and whether the hit was relevant. */
export interface CurveOutcome {
  /** Its absolute score, or its logit by the confidence model. */
  readonly input: number;
  readonly correct: boolean;
}

/** Number of steps of Newton's method. It converges in far fewer. */
const STEPS = 30;
/** Regularisation. Keeps the solution finite if all outcomes are separable; too small to affect a fit to a thousand outcomes. */
const RIDGE = 1e-3;

/**
 * Fits a sigmoid to the smoothed targets of Platt 1999, "Probabilistic Outputs for Support Vector Machines". Smoothed targets
 * keep the slope finite if there are few outcomes, or if the outcomes are separable.
 * @returns undefined if all outcomes are right or all are wrong, or if hits with higher inputs were not right more often
 */
export function fitSigmoid(outcomes: readonly CurveOutcome[]): Sigmoid | undefined {
  const right = outcomes.filter(({ correct }) => correct).length;
  const wrong = outcomes.length - right;
  if (right === 0 || wrong === 0) return undefined;
  const high = (right + 1) / (right + 2);
  const low = 1 / (wrong + 2);
  let [slope, intercept] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    let [bySlope, byIntercept] = [RIDGE * slope, RIDGE * intercept];
    let [curve, mixed, level] = [RIDGE, 0, RIDGE];
    for (const { input, correct } of outcomes) {
      const p = 1 / (1 + Math.exp(-(slope * input + intercept)));
      const error = p - (correct ? high : low);
      const spread = p * (1 - p);
      bySlope += error * input;
      byIntercept += error;
      curve += spread * input * input;
      mixed += spread * input;
      level += spread;
    }
    const determinant = curve * level - mixed * mixed;
    slope -= (level * bySlope - mixed * byIntercept) / determinant;
    intercept -= (curve * byIntercept - mixed * bySlope) / determinant;
  }
  return slope > 0 ? { threshold: -intercept / slope, steepness: slope } : undefined;
}
