/** Compares two rankings of the same queries, measure by measure. */
import { mean } from './mean.ts';
import { METRICS, type Metric, type Metrics } from './metrics.ts';
import { randomisationTest } from './significance.ts';

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
