/** Compares two rankings of the same queries, measure by measure. */
import { METRICS, type Metric, type Metrics } from './metrics.ts';
import { randomisationTest } from './significance.ts';

export interface Comparison {
  readonly metric: Metric;
  /** Mean difference: above 0, the first ranking is better. */
  readonly difference: number;
  /** Two-sided, by the paired randomisation test; below 0.05 is seldom chance. */
  readonly pValue: number;
  /** Queries on which the first ranking is better. */
  readonly better: number;
  readonly worse: number;
  readonly queries: number;
}

/**
 * One comparison for every measure.
 * @param own `own[i]` and `other[i]` measure the same query
 */
export function compareMetrics(own: readonly Metrics[], other: readonly Metrics[]): readonly Comparison[] {
  return METRICS.map((metric) => {
    const differences = own.map((metrics, query) => metrics[metric] - (other[query]?.[metric] ?? 0));
    const sum = differences.reduce((total, difference) => total + difference, 0);
    return {
      metric,
      difference: sum / Math.max(1, differences.length),
      pValue: randomisationTest(differences),
      better: differences.filter((difference) => difference > 0).length,
      worse: differences.filter((difference) => difference < 0).length,
      queries: differences.length,
    };
  });
}
