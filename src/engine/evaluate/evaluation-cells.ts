/** How an evaluation is written in tables, on a terminal and in a report. */
import type { Comparison } from '../../core/evaluate/compare.ts';
import { METRIC_NAMES } from '../../core/evaluate/metrics.ts';
import type { Evaluation, ModeEvaluation } from './evaluation.ts';

/** Set, documents, judged queries and model, in one line. */
export function evaluationTitle({ set, documents, queries, model }: Evaluation): string {
  return `${set}: ${count(documents, 'document', 'documents')}, ${count(queries, 'judged query', 'judged queries')}, ${model}`;
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** The columns of `differenceCells`. */
export const DIFFERENCE_HEADER = ['difference', 'p', 'better', 'worse', 'equal'] as const;

/** How two rankings of the same queries differ, under `DIFFERENCE_HEADER`. */
export function differenceCells({
  difference,
  pValue,
  better,
  worse,
  queries,
}: Omit<Comparison, 'metric'>): readonly string[] {
  return [
    `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(4)}`,
    pValue.toFixed(4),
    String(better),
    String(worse),
    String(queries - better - worse),
  ];
}

/** One row for each metric: its name, then `differenceCells`. Empty without a comparison. */
export function comparisonCells({ comparison = [] }: ModeEvaluation): readonly (readonly string[])[] {
  return comparison.map((each) => [METRIC_NAMES[each.metric], ...differenceCells(each)]);
}

/** An area under the ROC curve. It is undefined if all answers are right or all are wrong. */
export function areaCell(area: number | undefined): string {
  return area === undefined ? '–' : area.toFixed(3);
}

/** `0.625` → `62.5 %`. */
export function shareCell(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
