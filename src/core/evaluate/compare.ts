/** Compares two rankings of the same queries by every measure, and tests whether a difference is significant. */
import { METRICS, type Metric, type Metrics } from './metrics.ts';
import { mean, percentile, randomNumbers } from './statistics.ts';

/** The result of comparing two lists with one value per query. */
export interface PairedDifference {
  /** Mean over queries of the first value minus the second. */
  readonly difference: number;
  /** Two-sided p-value of the paired randomisation test; a difference with a value below 0.05 is called significant. */
  readonly pValue: number;
  /** Number of queries for which the first value is higher. */
  readonly better: number;
  readonly worse: number;
  readonly queries: number;
}

export interface Comparison extends PairedDifference {
  readonly metric: Metric;
}

/** Compares by every measure. @param own `own[i]` and `other[i]` measure the same query */
export function compareMetrics(own: readonly Metrics[], other: readonly Metrics[]): readonly Comparison[] {
  return METRICS.map((metric) => ({
    metric,
    ...comparePaired(
      own.map((metrics) => metrics[metric]),
      own.map((_, query) => other[query]![metric]),
    ),
  }));
}

/** Compares two lists of values. @param own `own[i]` and `other[i]` belong to the same query */
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

/** Seed of the random numbers; fixed, so that equal differences give equal results. */
const SEED = 1;

/** Confidence level of `bootstrapInterval`. */
const LEVEL = 0.95;

/** Tolerance: sums that differ only by rounding are treated as equal. */
const ROUNDING = 1e-12;

/**
 * Returns the two-sided p-value of the paired randomisation test: how often random signs of the differences give a mean at
 * least as far from 0 as the observed mean (Smucker, Allan and Carterette 2007, "A comparison of statistical significance tests
 * for information retrieval evaluation"). The observed signs are one of the samples (Phipson and Smyth 2010), so the value is
 * never 0. The value is 1 if no query differs.
 * @param differences one per query: the first value minus the second
 */
export function randomisationTest(differences: readonly number[]): number {
  const samples = 10_000;
  const random = randomNumbers(SEED);
  // For speed, leave out queries without a difference: they add 0 with either sign.
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

/** Returns the 95 % confidence interval of a mean by the percentile bootstrap (Efron 1979): draws values with replacement. */
export function bootstrapInterval(values: readonly number[]): readonly [low: number, high: number] {
  if (values.length === 0) return [0, 0];
  const random = randomNumbers(SEED);
  const means = Array.from({ length: 2_000 }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)]!;
    return sum / values.length;
  });
  const tail = (1 - LEVEL) / 2;
  return [percentile(means, tail), percentile(means, 1 - tail)];
}
