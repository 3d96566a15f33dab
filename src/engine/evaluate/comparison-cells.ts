/** The columns of a comparison of two runs, as every table of it shows them. */
import { METRIC_NAMES } from '../../core/evaluate/metrics.ts';
import type { ModeEvaluation } from './evaluation.ts';

export const COMPARISON_HEADER = ['', 'difference', 'p', 'better', 'worse', 'equal'] as const;

/** One row a measure, under `COMPARISON_HEADER`; none where nothing was compared with. */
export function comparisonCells({ comparison = [] }: ModeEvaluation): readonly (readonly string[])[] {
  return comparison.map(({ metric, difference, pValue, better, worse, queries }) => [
    METRIC_NAMES[metric],
    `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(4)}`,
    pValue.toFixed(4),
    String(better),
    String(worse),
    String(queries - better - worse),
  ]);
}
