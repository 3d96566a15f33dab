/** The plots of a report as vega-lite specifications: quality per mode, reliability of confidence, latency. */
import type { TopLevelSpec } from 'vega-lite';
import { METRIC_NAMES, METRICS } from '../../core/evaluate/metrics.ts';
import { oneLine } from '../../core/text/one-line.ts';
import type { Evaluation, ModeEvaluation } from './evaluation.ts';

export interface Plot {
  readonly title: string;
  /** Says how to read the plot. */
  readonly caption: string;
  /** Sets the colours of marks only, not of the background. */
  readonly spec: TopLevelSpec;
}

type Layers = Extract<TopLevelSpec, { layer: unknown }>['layer'];

/** The palette of Okabe and Ito, for readers with colour blindness. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7'];

/** Scale of an axis that shows a share. */
const UNIT = { domain: [0, 1] };

/** @param evaluations at least one, with at least one mode */
export function plotsOf(evaluations: readonly Evaluation[]): readonly Plot[] {
  return [quality(evaluations), reliabilityDiagram(evaluations), latency(evaluations)];
}

function quality(evaluations: readonly Evaluation[]): Plot {
  const values = rowsOf(evaluations, ({ metrics, intervals }) =>
    METRICS.map((metric) => {
      const [low, high] = intervals[metric];
      return { measure: METRIC_NAMES[metric], value: metrics[metric], low, high };
    }),
  );
  const measures = METRICS.map((metric) => METRIC_NAMES[metric]);
  const x = { field: 'mode', type: 'nominal', sort: null, title: null } as const;
  const y = { ...number('value'), scale: UNIT, title: null };
  const bars = { x, y, color: colour(evaluations) };
  const intervals = { x, y: number('low'), y2: { field: 'high' } };
  return {
    title: 'Quality',
    caption: 'Means over the judged queries; lines are 95 % bootstrap intervals.',
    spec: {
      data: { values },
      facet: {
        column: { field: 'measure', sort: measures, title: null },
        row: { field: 'set', title: null },
      },
      spec: {
        width: 110,
        height: 150,
        layer: [
          { mark: { type: 'bar', opacity: 0.75 }, encoding: bars },
          { mark: { type: 'rule', strokeWidth: 2 }, encoding: intervals },
        ],
      },
    },
  };
}

function reliabilityDiagram(evaluations: readonly Evaluation[]): Plot {
  const values = rowsOf(evaluations, ({ calibration }) =>
    calibration.bins.map(({ confidence, correct, count }) => ({ confidence, correct, count })),
  );
  const end = { ...number('end'), scale: UNIT };
  const bins = { x: number('confidence'), y: number('correct'), color: colour(evaluations) };
  const size = { ...number('count'), title: 'queries', legend: { tickMinStep: 1, format: 'd' } };
  return {
    title: 'Reliability',
    caption:
      'For each confidence, the share of best hits that are relevant. On the dashed line, eight of ten hits with confidence 0.8 are relevant.',
    spec: perSet(values, [
      {
        data: { values: [{ end: 0 }, { end: 1 }] },
        mark: { type: 'line', strokeDash: [4, 4], color: '#888' },
        encoding: { x: { ...end, title: 'confidence' }, y: { ...end, title: 'relevant' } },
      },
      { mark: { type: 'line', opacity: 0.6 }, encoding: bins },
      { mark: { type: 'circle', opacity: 0.9 }, encoding: { ...bins, size } },
    ]),
  };
}

function latency(evaluations: readonly Evaluation[]): Plot {
  const values = rowsOf(evaluations, ({ perQuery }) =>
    perQuery
      .map(({ milliseconds }) => milliseconds)
      .sort((a, b) => a - b)
      .map((milliseconds, place) => ({ milliseconds, share: (place + 1) / perQuery.length })),
  );
  const x = { ...number('milliseconds'), scale: { zero: true } };
  const y = { ...number('share'), scale: UNIT, title: 'share of queries' };
  return {
    title: 'Latency',
    caption: 'Share of queries answered within a time; the median is where a line crosses 0.5.',
    spec: perSet(values, [
      { mark: { type: 'line', interpolate: 'step-after' }, encoding: { x, y, color: colour(evaluations) } },
    ]),
  };
}

type Row = Record<string, string | number>;

/** Returns the rows of every mode of every set, with the names of set and mode in each row. */
function rowsOf(evaluations: readonly Evaluation[], rows: (mode: ModeEvaluation) => readonly Row[]): Row[] {
  return evaluations.flatMap(({ set, modes }) =>
    modes.flatMap((mode) => rows(mode).map((row) => ({ set: oneLine(set), mode: mode.mode, ...row }))),
  );
}

/** Makes one plot for each set, side by side. */
function perSet(values: Row[], layer: Layers): TopLevelSpec {
  const spec = { width: 180, height: 180, layer };
  return { data: { values }, facet: { field: 'set', title: null }, columns: 4, spec };
}

function number(field: string) {
  return { field, type: 'quantitative' } as const;
}

function colour(evaluations: readonly Evaluation[]) {
  const modes = [...new Set(evaluations.flatMap((evaluation) => evaluation.modes.map(({ mode }) => mode)))];
  const scale = { domain: modes, range: COLOURS.slice(0, modes.length) };
  return { field: 'mode', type: 'nominal', title: null, scale } as const;
}
