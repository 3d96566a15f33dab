/** Measures confidences: how often answers of a given confidence are right, and how well confidence separates right from wrong. */
import { mean } from './statistics.ts';

/** One answer: its confidence, and whether it was right. */
export interface Outcome {
  /** 0–1. */
  readonly confidence: number;
  readonly correct: boolean;
}

/** Answers of similar confidence. */
export interface ReliabilityBin {
  /** Lowest confidence of the bin, inclusive. */
  readonly from: number;
  /** Upper end, exclusive; the last bin includes 1. */
  readonly to: number;
  /** Number of answers in the bin, at least 1. */
  readonly count: number;
  /** Mean confidence of the answers in the bin. */
  readonly confidence: number;
  /** Share of the answers in the bin that were right; equals `confidence` if calibration is perfect. */
  readonly correct: number;
}

/** Number of bins between 0 and 1. */
const BINS = 10;

/** Returns the reliability table: answers in bins of equal width, without empty bins. */
export function reliability(outcomes: readonly Outcome[]): readonly ReliabilityBin[] {
  const groups = Map.groupBy(outcomes, ({ confidence }) =>
    Math.min(BINS - 1, Math.max(0, Math.floor(confidence * BINS))),
  );
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([bin, members]) => ({
      from: bin / BINS,
      to: (bin + 1) / BINS,
      count: members.length,
      confidence: mean(members.map(({ confidence }) => confidence)),
      correct: mean(members.map(({ correct }) => (correct ? 1 : 0))),
    }));
}

/**
 * Returns the expected calibration error, 0–1: the mean over bins of the difference between confidence and share of right
 * answers, weighted by the number of answers in each bin (Naeini, Cooper and Hauskrecht 2015). Returns 0 without answers.
 */
export function calibrationError(outcomes: readonly Outcome[]): number {
  return reliability(outcomes).reduce(
    (sum, { count, confidence, correct }) => sum + (count / outcomes.length) * Math.abs(confidence - correct),
    0,
  );
}

/**
 * Returns the area under the ROC curve, 0–1: the share of pairs of a right and a wrong answer in which the right answer has
 * more confidence. A pair with equal confidence adds half (the statistic of Mann and Whitney 1947).
 * @returns undefined if all answers are right or all are wrong
 */
export function rocArea(outcomes: readonly Outcome[]): number | undefined {
  const confidencesOf = (side: boolean) =>
    outcomes.filter(({ correct }) => correct === side).map(({ confidence }) => confidence);
  const [right, wrong] = [confidencesOf(true), confidencesOf(false)];
  if (right.length === 0 || wrong.length === 0) return undefined;
  let pairs = 0;
  for (const high of right) for (const low of wrong) pairs += high > low ? 1 : high === low ? 0.5 : 0;
  return pairs / (right.length * wrong.length);
}

/** Returns Brier scores, one per answer: squared difference between confidence and truth, 0–1, lower is better (Brier 1950). */
export function brierScores(outcomes: readonly Outcome[]): readonly number[] {
  return outcomes.map(({ confidence, correct }) => (confidence - (correct ? 1 : 0)) ** 2);
}
