/** Fits the curve that reads confidence off evidence: logistic regression with one variable. */
import type { Sigmoid } from '../rank/calibrate.ts';
import { fitLogistic } from './fit-logistic.ts';

/** What the best hit of a query had to show, and whether it was relevant. */
export interface EvidenceOutcome {
  /** The weighted sum, or the logit of the evidence model. */
  readonly evidence: number;
  readonly correct: boolean;
}

/**
 * Fits to the smoothed targets of Platt 1999, "Probabilistic Outputs for Support Vector Machines", so that few or separable
 * outcomes give no infinite slope.
 * @returns undefined when all outcomes are alike, or more evidence was no better: no curve follows from them
 */
export function fitSigmoid(outcomes: readonly EvidenceOutcome[]): Sigmoid | undefined {
  const right = outcomes.filter(({ correct }) => correct).length;
  const wrong = outcomes.length - right;
  if (right === 0 || wrong === 0) return undefined;
  const high = (right + 1) / (right + 2);
  const low = 1 / (wrong + 2);
  const { intercept, weights } = fitLogistic(
    outcomes.map(({ evidence, correct }) => ({ values: [evidence], label: correct ? high : low })),
  );
  const [slope = 0] = weights;
  return slope > 0 ? { threshold: -intercept / slope, steepness: slope } : undefined;
}
