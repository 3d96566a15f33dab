/** Computes the figures of one mode from its answers: means with intervals, percentiles, calibration, types, a comparison. */
import { calibrationError, type Outcome, reliability, rocArea } from '../../core/evaluate/calibration.ts';
import { bootstrapInterval, type Comparison, compareMetrics } from '../../core/evaluate/compare.ts';
import {
  byMetric,
  type Judgements,
  judgedShare,
  type Metrics,
  meanMetrics,
  measure,
} from '../../core/evaluate/metrics.ts';
import { mean, percentile } from '../../core/evaluate/statistics.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type {
  Calibration,
  Intervals,
  ModeEvaluation,
  QueryEvaluation,
  TypeEvaluation,
} from './evaluation.ts';
import type { JudgedQuery } from './judged-set.ts';
import type { QueryLine } from './set-files.ts';
import type { Run, RunEntry } from './trec-run.ts';

export interface Answer<Query extends QueryLine = QueryLine> {
  readonly query: Query;
  /** Documents, best first. */
  readonly entries: readonly RunEntry[];
  readonly milliseconds: number;
}

/** @param baseline an earlier run to compare with, on the queries that both runs have */
export function summarise(
  mode: SearchMode,
  answers: readonly Answer<JudgedQuery>[],
  unanswerable: readonly Answer[],
  baseline: Run | undefined,
): ModeEvaluation {
  const perQuery = answers.map(evaluateQuery);
  const metrics = perQuery.map((query) => query.metrics);
  const milliseconds = answers.map((answer) => answer.milliseconds);
  const byType = groupByType(perQuery);
  return {
    mode,
    metrics: meanMetrics(metrics),
    intervals: intervalsOf(metrics),
    judged10: mean(answers.map(({ query, entries }) => judgedShare(idsOf(entries), query.judgements, 10))),
    latency: { p50: percentile(milliseconds, 0.5), p95: percentile(milliseconds, 0.95) },
    calibration: calibrationOf(
      answers.flatMap((answer) => toOutcome(answer, answer.query.judgements)),
      unanswerable.flatMap((answer) => toOutcome(answer)),
    ),
    ...(byType && { byType }),
    ...(baseline && { comparison: compareWith(baseline, answers, metrics) }),
    perQuery,
  };
}

function evaluateQuery({ query, entries, milliseconds }: Answer<JudgedQuery>): QueryEvaluation {
  const { id, text, type } = query;
  const [best] = entries;
  return {
    id,
    text,
    ...(type !== undefined && { type }),
    metrics: measure(idsOf(entries), query.judgements),
    ...(best && { confidence: best.score }),
    milliseconds,
  };
}

function idsOf(entries: readonly RunEntry[]): readonly string[] {
  return entries.map(({ document }) => document);
}

function compareWith(
  baseline: Run,
  answers: readonly Answer<JudgedQuery>[],
  metrics: readonly Metrics[],
): readonly Comparison[] {
  const pairs = answers.flatMap(({ query }, place) => {
    const before = baseline.get(query.id);
    return before ? [{ own: metrics[place]!, other: measure(idsOf(before), query.judgements) }] : [];
  });
  return compareMetrics(
    pairs.map(({ own }) => own),
    pairs.map(({ other }) => other),
  );
}

function intervalsOf(perQuery: readonly Metrics[]): Intervals {
  return byMetric((metric) => bootstrapInterval(perQuery.map((metrics) => metrics[metric])));
}

/** Returns no outcome for an answer without hits, because only a hit has a confidence. */
function toOutcome({ entries: [best] }: Answer, judgements?: Judgements): Outcome[] {
  return best ? [{ confidence: best.score, correct: (judgements?.get(best.document) ?? 0) > 0 }] : [];
}

function calibrationOf(answerable: readonly Outcome[], unanswerable: readonly Outcome[]): Calibration {
  const outcomes = [...answerable, ...unanswerable];
  const area = rocArea(outcomes);
  return {
    answers: outcomes.length,
    error: calibrationError(outcomes),
    answerableError: calibrationError(answerable),
    ...(area !== undefined && { area }),
    bins: reliability(outcomes),
  };
}

function groupByType(
  perQuery: readonly QueryEvaluation[],
): Readonly<Record<string, TypeEvaluation>> | undefined {
  const groups = Map.groupBy(perQuery, ({ type }) => type);
  if (groups.size === 1 && groups.has(undefined)) return undefined;
  const evaluations = [...groups].map(([type, members]) => {
    const metrics = members.map((query) => query.metrics);
    const evaluation = {
      queries: members.length,
      metrics: meanMetrics(metrics),
      intervals: intervalsOf(metrics),
    };
    return [type ?? 'other', evaluation] as const;
  });
  return Object.fromEntries(evaluations);
}
