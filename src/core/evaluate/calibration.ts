/** Whether confidences mean what they say: how often they come true, and how well they tell right from wrong. */
import { mean } from './statistics.ts';

/** One answer: how sure it was, and whether it was right. */
export interface Outcome {
  /** 0–1. */
  readonly confidence: number;
  readonly correct: boolean;
}

/** Answers of about the same confidence. */
export interface ReliabilityBin {
  /** Lowest confidence of the bin, inclusive. */
  readonly from: number;
  /** Upper end, exclusive; the last bin includes 1. */
  readonly to: number;
  /** Answers in it, at least 1. */
  readonly count: number;
  /** Mean confidence of its answers. */
  readonly confidence: number;
  /** Share of its answers that were right; calibrated where it equals `confidence`. */
  readonly correct: number;
}

/**
 * The reliability table: answers in bins of equal width, the empty ones left out.
 * @param bins how many there are between 0 and 1. @default 10
 */
export function reliability(outcomes: readonly Outcome[], bins = 10): readonly ReliabilityBin[] {
  const groups = Map.groupBy(outcomes, ({ confidence }) =>
    Math.min(bins - 1, Math.max(0, Math.floor(confidence * bins))),
  );
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([bin, members]) => ({
      from: bin / bins,
      to: (bin + 1) / bins,
      count: members.length,
      confidence: mean(members.map(({ confidence }) => confidence)),
      correct: mean(members.map(({ correct }) => (correct ? 1 : 0))),
    }));
}

/**
 * Expected calibration error, 0–1: the mean distance between confidence and share of right answers over the bins of
 * the reliability table, each weighed by its answers (Naeini, Cooper and Hauskrecht 2015). 0 without answers.
 */
export function calibrationError(outcomes: readonly Outcome[], bins = 10): number {
  return reliability(outcomes, bins).reduce(
    (sum, { count, confidence, correct }) => sum + (count / outcomes.length) * Math.abs(confidence - correct),
    0,
  );
}

/**
 * Area under the ROC curve, 0–1: how often a right answer is surer than a wrong one, equals counting half
 * (the statistic of Mann and Whitney 1947).
 * @returns undefined when all are right or all are wrong: there is nothing to tell apart
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

/** Mean squared distance between confidence and truth, 0–1, less is better (Brier 1950); one value for each answer. */
export function brierScores(outcomes: readonly Outcome[]): readonly number[] {
  return outcomes.map(({ confidence, correct }) => (confidence - (correct ? 1 : 0)) ** 2);
}
