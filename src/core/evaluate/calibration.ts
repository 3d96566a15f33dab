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
  const sorted = outcomes.toSorted((a, b) => a.confidence - b.confidence);
  const right = sorted.filter(({ correct }) => correct).length;
  const wrong = sorted.length - right;
  if (right === 0 || wrong === 0) return undefined;
  let pairs = 0;
  let wrongBelow = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    let rightHere = 0;
    while (sorted[end]?.confidence === sorted[start]!.confidence) if (sorted[end++]!.correct) rightHere++;
    const wrongHere = end - start - rightHere;
    pairs += rightHere * (wrongBelow + wrongHere / 2);
    wrongBelow += wrongHere;
    start = end;
  }
  return pairs / (right * wrong);
}

/** Returns Brier scores, one per answer: squared difference between confidence and truth, 0–1, lower is better (Brier 1950). */
export function brierScores(outcomes: readonly Outcome[]): readonly number[] {
  return outcomes.map(({ confidence, correct }) => (confidence - (correct ? 1 : 0)) ** 2);
}
