/** Shows an evaluation as aligned tables, for a terminal or a report. */
import stringWidth from 'string-width';
import { METRICS, type Metric, type Metrics } from '../../core/evaluate/metrics.ts';
import type { Evaluation, ModeEvaluation } from '../../engine/evaluate/evaluate.ts';

const NAMES: Readonly<Record<Metric, string>> = {
  ndcg5: 'nDCG@5',
  ndcg10: 'nDCG@10',
  mrr10: 'MRR@10',
  recall10: 'Recall@10',
  hit1: 'Hit@1',
};

type Row = readonly string[];

/** Quality and speed per mode, then per query type, then against the run compared with; ends with a line feed. */
export function formatEvaluation(evaluation: Evaluation): string {
  const { set, documents, queries, model, modes, compareFile, warnings } = evaluation;
  const parts = [
    `${set}: ${count(documents, 'document')}, ${count(queries, 'judged query', 'judged queries')}, ${model}`,
    align([['', ...METRICS.map((metric) => NAMES[metric]), 'p50', 'p95'], ...modes.flatMap(modeRows)]),
    ...modes.flatMap((mode) => typeTable(mode)),
    ...refusalTable(modes),
    ...modes.flatMap((mode) => comparisonTable(mode, compareFile)),
    warnings.map((warning) => `warning: ${warning}`).join('\n'),
    modes.map(({ runFile }) => (runFile ? `run written: ${runFile}` : '')).join('\n'),
  ];
  return `${parts
    .map((part) => part.trimEnd())
    .filter((part) => part.trim() !== '')
    .join('\n\n')}\n`;
}

/** Means of a mode, and below them the intervals they lie in with 95 % confidence. */
function modeRows({ mode, metrics, intervals, latency }: ModeEvaluation): readonly Row[] {
  const range = (metric: Metric): string => intervals[metric].map((end) => end.toFixed(2)).join('–');
  return [
    [mode, ...values(metrics), milliseconds(latency.p50), milliseconds(latency.p95)],
    ['  95 %', ...METRICS.map(range)],
  ];
}

function typeTable({ mode, byType }: ModeEvaluation): readonly string[] {
  if (!byType) return [];
  const rows = Object.entries(byType).map(([type, { queries, metrics }]) => [
    type,
    ...values(metrics),
    String(queries),
  ]);
  return [align([[`${mode} by type`, ...METRICS.map((metric) => NAMES[metric]), 'queries'], ...rows])];
}

function refusalTable(modes: readonly ModeEvaluation[]): readonly string[] {
  const rows = modes.flatMap(({ mode, refusal }) =>
    refusal ? [[mode, share(refusal.refused), share(refusal.kept), String(refusal.queries)]] : [],
  );
  return rows.length === 0 ? [] : [align([['at the threshold', 'refused', 'kept', 'unanswerable'], ...rows])];
}

function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

function comparisonTable({ mode, comparison }: ModeEvaluation, file = ''): readonly string[] {
  if (!comparison) return [];
  const rows = comparison.map(({ metric, difference, pValue, better, worse, queries }) => [
    NAMES[metric],
    `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(4)}`,
    pValue.toFixed(4),
    String(better),
    String(worse),
    String(queries - better - worse),
  ]);
  const header = ['', 'difference', 'p', 'better', 'worse', 'equal'];
  return [`${mode} against ${file}, query by query\n${align([header, ...rows])}`];
}

function values(metrics: Metrics): Row {
  return METRICS.map((metric) => metrics[metric].toFixed(4));
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** First column to the left, numbers to the right. */
function align(rows: readonly Row[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  const line = (row: Row): string =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat(widths[column]! - stringWidth(cell));
        return column === 0 ? cell + padding : padding + cell;
      })
      .join('  ');
  return rows.map(line).join('\n');
}
