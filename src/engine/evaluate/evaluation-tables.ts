/** Makes tables of text from an evaluation, for a terminal and for a report. */
import type { PairedDifference } from '../../core/evaluate/compare.ts';
import { METRIC_NAMES, METRICS } from '../../core/evaluate/metrics.ts';
import { plural } from '../../core/text/format-numbers.ts';
import type { Evaluation, TypeEvaluation } from './evaluation.ts';

type Row = readonly string[];

export interface Table {
  /** @default the first cell of the header */
  readonly caption?: string;
  readonly header: Row;
  /** At least one row. An indented first cell marks a row that belongs to the row before. */
  readonly rows: readonly Row[];
}

/** Returns tables of quality and speed, quality by query type, confidence, refusal, and the comparison with an earlier run. */
export function tablesOf({ modes, compareFile }: Evaluation): readonly Table[] {
  const tables: readonly Table[] = [
    {
      header: ['', ...MEASURES, 'p50', 'p95'],
      rows: modes.flatMap((of) => {
        const times = [of.latency.p50, of.latency.p95].map((time) => `${time.toFixed(1)} ms`);
        return measureRows(of.mode, of, times);
      }),
    },
    ...modes.map(({ mode, byType = {} }) => ({
      header: [`${mode} by type`, ...MEASURES, 'queries'],
      rows: Object.entries(byType).flatMap(([type, of]) => measureRows(type, of, [String(of.queries)])),
    })),
    {
      header: ['confidence of the best hit', 'error', 'error, answerable', 'area', 'answers'],
      rows: modes.map(({ mode, calibration: { error, answerableError, area, answers } }) => [
        ...[mode, error.toFixed(3), answerableError.toFixed(3), inArea(area), String(answers)],
      ]),
    },
    {
      header: ['at the threshold', 'refused', 'kept', 'area', 'unanswerable'],
      rows: modes.flatMap(({ mode, refusal: of }) =>
        of ? [[mode, inPercent(of.refused), inPercent(of.kept), inArea(of.area), String(of.queries)]] : [],
      ),
    },
    ...modes.map(({ mode, comparison = [] }) => ({
      caption: `${mode} against ${compareFile}, query by query`,
      header: ['', ...DIFFERENCE_HEADER],
      rows: comparison.map((each) => [METRIC_NAMES[each.metric], ...differenceCells(each)]),
    })),
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

export function evaluationTitle({ set, documents, queries, model }: Evaluation): string {
  return `${set}: ${plural(documents, 'document')}, ${plural(queries, 'judged query', 'judged queries')}, ${model}`;
}

/** Says in one line, for each mode, which share of the ten best documents has a grade. */
export function judgedShares({ modes }: Evaluation): string {
  return `judged of the ten best: ${modes.map(({ mode, judged10 }) => `${mode} ${inPercent(judged10)}`).join(', ')}`;
}

export const DIFFERENCE_HEADER = ['difference', 'p', 'better', 'worse', 'equal'] as const;

/** Returns the difference of two runs on the same queries as a row with the columns of `DIFFERENCE_HEADER`. */
export function differenceCells({ difference, pValue, better, worse, queries }: PairedDifference): Row {
  return [
    `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(4)}`,
    pValue.toFixed(4),
    String(better),
    String(worse),
    String(queries - better - worse),
  ];
}

export const MEASURES = METRICS.map((metric) => METRIC_NAMES[metric]);

function measureRows(
  name: string,
  { metrics, intervals }: Pick<TypeEvaluation, 'metrics' | 'intervals'>,
  further: Row,
): readonly Row[] {
  return [
    [name, ...METRICS.map((metric) => metrics[metric].toFixed(4)), ...further],
    ['  95 %', ...METRICS.map((metric) => intervals[metric].map((end) => end.toFixed(2)).join('–'))],
  ];
}

function inPercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** @param area area under the ROC curve; undefined if all answers are right or all are wrong */
function inArea(area: number | undefined): string {
  return area === undefined ? '–' : area.toFixed(3);
}
