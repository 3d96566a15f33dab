/** Fits the curve that reads confidence off evidence: logistic regression with one variable. */
import type { Sigmoid } from '../rank/calibrate.ts';

/** What the best hit of a query had to show, and whether it was relevant. */
export interface EvidenceOutcome {
  /** The weighted sum, or the logit of the evidence model. */
  readonly evidence: number;
  readonly correct: boolean;
}

const MOST_STEPS = 100;
/** Steps shorter than this change no digit that is shown. */
const CLOSE = 1e-9;
/** Keeps the steps finite where evidence tells right from wrong without a mistake. */
const RIDGE = 1e-3;

/**
 * Newton's method on the log-likelihood, with the smoothed targets of Platt 1999, "Probabilistic Outputs for Support
 * Vector Machines", so that few or separable outcomes give no infinite slope.
 * @returns undefined when all outcomes are alike, or more evidence was no better: no curve follows from them
 */
export function fitSigmoid(outcomes: readonly EvidenceOutcome[]): Sigmoid | undefined {
  const right = outcomes.filter(({ correct }) => correct).length;
  const wrong = outcomes.length - right;
  if (right === 0 || wrong === 0) return undefined;
  const high = (right + 1) / (right + 2);
  const low = 1 / (wrong + 2);
  let [offset, slope] = [Math.log((right + 1) / (wrong + 1)), 0];
  for (let step = 0; step < MOST_STEPS; step++) {
    let [gradient0, gradient1, curve00, curve01, curve11] = [0, -RIDGE * slope, RIDGE, 0, RIDGE];
    for (const { evidence, correct } of outcomes) {
      const probability = 1 / (1 + Math.exp(-(offset + slope * evidence)));
      const error = (correct ? high : low) - probability;
      const spread = probability * (1 - probability);
      gradient0 += error;
      gradient1 += error * evidence;
      curve00 += spread;
      curve01 += spread * evidence;
      curve11 += spread * evidence * evidence;
    }
    const determinant = curve00 * curve11 - curve01 * curve01;
    const move0 = (gradient0 * curve11 - gradient1 * curve01) / determinant;
    const move1 = (gradient1 * curve00 - gradient0 * curve01) / determinant;
    offset += move0;
    slope += move1;
    if (Math.abs(move0) + Math.abs(move1) < CLOSE) break;
  }
  return slope > 0 ? { threshold: -offset / slope, steepness: slope } : undefined;
}
