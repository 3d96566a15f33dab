/** Compares two rankings of the same queries, measure by measure, and says whether a difference could be chance. */
import { METRICS, type Metric, type Metrics } from './metrics.ts';
import { randomNumbers } from './random-numbers.ts';
import { mean, percentile } from './statistics.ts';

/** Two values for each of the same queries, set against each other. */
export interface PairedDifference {
  /** Mean difference: above 0, the first is higher. */
  readonly difference: number;
  /** Two-sided, by the paired randomisation test; below 0.05 is seldom chance. */
  readonly pValue: number;
  /** Queries on which the first is higher. */
  readonly better: number;
  readonly worse: number;
  readonly queries: number;
}

export interface Comparison extends PairedDifference {
  readonly metric: Metric;
}

/**
 * One comparison for every measure.
 * @param own `own[i]` and `other[i]` measure the same query
 */
export function compareMetrics(own: readonly Metrics[], other: readonly Metrics[]): readonly Comparison[] {
  return METRICS.map((metric) => ({
    metric,
    ...comparePaired(
      own.map((metrics) => metrics[metric]),
      own.map((_, query) => other[query]![metric]),
    ),
  }));
}

/** @param own `own[i]` and `other[i]` belong to the same query */
export function comparePaired(own: readonly number[], other: readonly number[]): PairedDifference {
  const differences = own.map((value, query) => value - other[query]!);
  return {
    difference: mean(differences),
    pValue: randomisationTest(differences),
    better: differences.filter((difference) => difference > 0).length,
    worse: differences.filter((difference) => difference < 0).length,
    queries: differences.length,
  };
}

export interface SamplingOptions {
  /** How many random samples to draw. @default 10,000 for the test, 2,000 for the interval */
  readonly samples?: number;
  /** Equal seeds give equal answers. @default 1 */
  readonly seed?: number;
}

/** Sums that differ only by rounding count as equal. */
const ROUNDING = 1e-12;

/**
 * Two-sided p-value of the paired randomisation test: how often a mean at least as far from 0 arises when the sign
 * of each query's difference is tossed. Smucker, Allan and Carterette 2007, "A comparison of statistical
 * significance tests for information retrieval evaluation". The observed order counts as one of the samples
 * (Phipson and Smyth 2010), so the value is never 0; without any difference it is 1.
 * @param differences one per query: this ranking's measure minus the other's
 */
export function randomisationTest(differences: readonly number[], options: SamplingOptions = {}): number {
  const { samples = 10_000, seed = 1 } = options;
  const random = randomNumbers(seed);
  // A query without difference adds 0 whatever its sign.
  const changed = differences.filter((difference) => difference !== 0);
  const observed = Math.abs(changed.reduce((sum, difference) => sum + difference, 0));
  let asFar = 1;
  for (let sample = 0; sample < samples; sample++) {
    let sum = 0;
    for (const difference of changed) sum += random() < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= observed - ROUNDING) asFar++;
  }
  return asFar / (samples + 1);
}

/**
 * Confidence interval of a mean by the percentile bootstrap (Efron 1979): queries are drawn with replacement.
 * @param level share of resampled means inside the interval. @default 0.95
 */
export function bootstrapInterval(
  values: readonly number[],
  options: SamplingOptions & { readonly level?: number } = {},
): readonly [low: number, high: number] {
  const { samples = 2_000, seed = 1, level = 0.95 } = options;
  if (values.length === 0) return [0, 0];
  const random = randomNumbers(seed);
  const means = Array.from({ length: samples }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)]!;
    return sum / values.length;
  });
  const tail = (1 - level) / 2;
  return [percentile(means, tail), percentile(means, 1 - tail)];
}
