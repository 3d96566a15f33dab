/** Shows an evaluation as aligned tables, for a terminal or a report. */

import { METRIC_NAMES, METRICS, type Metrics } from '../../core/evaluate/metrics.ts';
import { oneLine } from '../../core/text/one-line.ts';
import type { Evaluation, ModeEvaluation } from '../../engine/evaluate/evaluation.ts';
import {
  areaCell,
  comparisonCells,
  DIFFERENCE_HEADER,
  evaluationTitle,
  shareCell,
} from '../../engine/evaluate/evaluation-cells.ts';
import { align, type Row } from './align.ts';

/**
 * Quality and speed per mode, then per query type, then against the run compared with; ends with a line feed.
 * @param width that tables keep to, in cells. @default as wide as they come
 */
export function formatEvaluation(evaluation: Evaluation, width?: number): string {
  const { modes, compareFile, warnings } = evaluation;
  const parts = [
    oneLine(evaluationTitle(evaluation)),
    align(
      [['', ...METRICS.map((metric) => METRIC_NAMES[metric]), 'p50', 'p95'], ...modes.flatMap(modeRows)],
      width,
    ),
    `judged of the ten best: ${modes.map(({ mode, judged10 }) => `${mode} ${shareCell(judged10)}`).join(', ')}`,
    ...modes.flatMap((mode) => typeTable(mode, width)),
    calibrationTable(modes, width),
    ...refusalTable(modes, width),
    ...modes.flatMap((mode) => comparisonTable(mode, compareFile, width)),
    warnings.map((warning) => oneLine(`warning: ${warning}`)).join('\n'),
    modes.map(({ runFile }) => (runFile ? oneLine(`run written: ${runFile}`) : '')).join('\n'),
  ];
  return `${parts
    .map((part) => part.trimEnd())
    .filter((part) => part.trim() !== '')
    .join('\n\n')}\n`;
}

/** Means of a mode, and below them the intervals they lie in with 95 % confidence. */
function modeRows({ mode, metrics, intervals, latency }: ModeEvaluation): readonly Row[] {
  return [
    [mode, ...values(metrics), milliseconds(latency.p50), milliseconds(latency.p95)],
    ['  95 %', ...METRICS.map((metric) => range(intervals[metric]))],
  ];
}

function typeTable({ mode, byType }: ModeEvaluation, width?: number): readonly string[] {
  if (!byType) return [];
  const rows = Object.entries(byType).map(([type, { queries, metrics, intervals }]) => [
    oneLine(type),
    ...values(metrics),
    range(intervals.ndcg10),
    String(queries),
  ]);
  const header = [
    `${mode} by type`,
    ...METRICS.map((metric) => METRIC_NAMES[metric]),
    'nDCG@10 95 %',
    'queries',
  ];
  return [align([header, ...rows], width)];
}

/** How far the confidence of the best hit is from the share that is relevant, and how well it tells them apart. */
function calibrationTable(modes: readonly ModeEvaluation[], width?: number): string {
  const rows = modes.map(({ mode, calibration: { error, answerableError, area, answers } }) => [
    mode,
    error.toFixed(3),
    answerableError.toFixed(3),
    areaCell(area),
    String(answers),
  ]);
  return align(
    [['confidence of the best hit', 'error', 'error, answerable', 'area', 'answers'], ...rows],
    width,
  );
}

function refusalTable(modes: readonly ModeEvaluation[], width?: number): readonly string[] {
  const rows = modes.flatMap(({ mode, refusal }) =>
    refusal
      ? [
          [
            mode,
            shareCell(refusal.refused),
            shareCell(refusal.kept),
            areaCell(refusal.area),
            String(refusal.queries),
          ],
        ]
      : [],
  );
  const header = ['at the threshold', 'refused', 'kept', 'area', 'unanswerable'];
  return rows.length === 0 ? [] : [align([header, ...rows], width)];
}

function comparisonTable(evaluation: ModeEvaluation, file = '', width?: number): readonly string[] {
  const rows = comparisonCells(evaluation);
  if (rows.length === 0) return [];
  return [
    `${evaluation.mode} against ${oneLine(file)}, query by query\n${align([['', ...DIFFERENCE_HEADER], ...rows], width)}`,
  ];
}

function range([low, high]: readonly [number, number]): string {
  return `${low.toFixed(2)}–${high.toFixed(2)}`;
}

function values(metrics: Metrics): Row {
  return METRICS.map((metric) => metrics[metric].toFixed(4));
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}
