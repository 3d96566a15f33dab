/** The plots of a report as vega-lite specifications: quality per mode, reliability of confidence, latency. */
import type { TopLevelSpec } from 'vega-lite';
import { METRIC_NAMES, METRICS } from '../../core/evaluate/metrics.ts';
import { oneLine } from '../../core/text/one-line.ts';
import type { Evaluation, ModeEvaluation } from './evaluation.ts';

export interface Plot {
  readonly title: string;
  /** One sentence on how to read it. */
  readonly caption: string;
  /** Sets the colours of marks only, not of the background. */
  readonly spec: TopLevelSpec;
}

/** The palette of Okabe and Ito, for readers with colour blindness. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7'];

/** Sets side by side. */
const COLUMNS = 4;

const SIZE = { width: 180, height: 180 };

/** @param evaluations at least one, with at least one mode */
export function plotsOf(evaluations: readonly Evaluation[]): readonly Plot[] {
  return [quality(evaluations), reliabilityDiagram(evaluations), latency(evaluations)];
}

function quality(evaluations: readonly Evaluation[]): Plot {
  const values = rowsOf(evaluations, ({ metrics, intervals }) =>
    METRICS.map((metric) => ({
      measure: METRIC_NAMES[metric],
      value: metrics[metric],
      low: intervals[metric][0],
      high: intervals[metric][1],
    })),
  );
  return {
    title: 'Quality',
    caption: 'Means over the judged queries; lines are 95 % bootstrap intervals.',
    spec: {
      data: { values: [...values] },
      facet: {
        column: { field: 'measure', sort: METRICS.map((metric) => METRIC_NAMES[metric]), title: null },
        row: { field: 'set', title: null },
      },
      spec: {
        width: 110,
        height: 150,
        layer: [
          {
            mark: { type: 'bar', opacity: 0.75 },
            encoding: {
              x: { field: 'mode', type: 'nominal', sort: null, title: null },
              y: { field: 'value', type: 'quantitative', scale: { domain: [0, 1] }, title: null },
              color: colour(evaluations),
            },
          },
          {
            mark: { type: 'rule', strokeWidth: 2 },
            encoding: {
              x: { field: 'mode', type: 'nominal', sort: null },
              y: { field: 'low', type: 'quantitative' },
              y2: { field: 'high' },
            },
          },
        ],
      },
    },
  };
}

function reliabilityDiagram(evaluations: readonly Evaluation[]): Plot {
  const values = rowsOf(evaluations, ({ calibration }) =>
    calibration.bins.map(({ confidence, correct, count }) => ({ confidence, correct, count })),
  );
  const unit = { domain: [0, 1] };
  return {
    title: 'Reliability',
    caption:
      'Share of best hits that are relevant, by their confidence. On the dashed line a confidence of 0.8 is right eight times in ten.',
    spec: {
      data: { values: [...values] },
      facet: { field: 'set', title: null },
      columns: COLUMNS,
      spec: {
        ...SIZE,
        layer: [
          {
            data: { values: [{ end: 0 }, { end: 1 }] },
            mark: { type: 'line', strokeDash: [4, 4], color: '#888' },
            encoding: {
              x: { field: 'end', type: 'quantitative', scale: unit, title: 'confidence' },
              y: { field: 'end', type: 'quantitative', scale: unit, title: 'relevant' },
            },
          },
          {
            mark: { type: 'line', opacity: 0.6 },
            encoding: {
              x: { field: 'confidence', type: 'quantitative' },
              y: { field: 'correct', type: 'quantitative' },
              color: colour(evaluations),
            },
          },
          {
            mark: { type: 'circle', opacity: 0.9 },
            encoding: {
              x: { field: 'confidence', type: 'quantitative' },
              y: { field: 'correct', type: 'quantitative' },
              size: {
                field: 'count',
                type: 'quantitative',
                title: 'queries',
                legend: { tickMinStep: 1, format: 'd' },
              },
              color: colour(evaluations),
            },
          },
        ],
      },
    },
  };
}

function latency(evaluations: readonly Evaluation[]): Plot {
  const values = rowsOf(evaluations, ({ perQuery }) =>
    perQuery
      .map(({ milliseconds }) => milliseconds)
      .sort((a, b) => a - b)
      .map((milliseconds, place) => ({ milliseconds, share: (place + 1) / perQuery.length })),
  );
  return {
    title: 'Latency',
    caption: 'Share of queries answered within a time; the median is where a line crosses 0.5.',
    spec: {
      data: { values: [...values] },
      facet: { field: 'set', title: null },
      columns: COLUMNS,
      spec: {
        ...SIZE,
        layer: [
          {
            mark: { type: 'line', interpolate: 'step-after' },
            encoding: {
              x: { field: 'milliseconds', type: 'quantitative', scale: { zero: true } },
              y: {
                field: 'share',
                type: 'quantitative',
                scale: { domain: [0, 1] },
                title: 'share of queries',
              },
              color: colour(evaluations),
            },
          },
        ],
      },
    },
  };
}

type Row = Readonly<Record<string, string | number>>;

/** The rows of every mode of every set, with the two named. */
function rowsOf(
  evaluations: readonly Evaluation[],
  rows: (mode: ModeEvaluation) => readonly Row[],
): readonly Row[] {
  return evaluations.flatMap(({ set, modes }) =>
    modes.flatMap((mode) => rows(mode).map((row) => ({ set: oneLine(set), mode: mode.mode, ...row }))),
  );
}

function colour(evaluations: readonly Evaluation[]) {
  const modes = [...new Set(evaluations.flatMap((evaluation) => evaluation.modes.map(({ mode }) => mode)))];
  return {
    field: 'mode',
    type: 'nominal',
    title: null,
    scale: { domain: modes, range: COLOURS.slice(0, modes.length) },
  } as const;
}
