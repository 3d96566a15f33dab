/** Computes the figures of one mode from its answers: means with intervals, percentiles, calibration, types, a comparison. */
import { calibrationError, type Outcome, reliability, rocArea } from '../../core/evaluate/calibration.ts';
import { bootstrapInterval, type Comparison, compareMetrics } from '../../core/evaluate/compare.ts';
import { byMetric, judgedShare, type Metrics, meanMetrics, measure } from '../../core/evaluate/metrics.ts';
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
import type { Run, RunEntry } from './trec-run.ts';

export interface Answer {
  /** Documents, best first. */
  readonly entries: readonly RunEntry[];
  readonly milliseconds: number;
}

export interface Asked {
  readonly queries: readonly JudgedQuery[];
  /** `answers[i]` answers `queries[i]`. */
  readonly answers: readonly Answer[];
  readonly unanswerable: readonly Answer[];
  /** An earlier run to compare with, on the queries that both runs have. */
  readonly baseline?: Run;
}

export function summarise(mode: SearchMode, { queries, answers, ...asked }: Asked): ModeEvaluation {
  const perQuery = queries.map((query, place) => evaluateQuery(query, answers[place]!));
  const metrics = perQuery.map((query) => query.metrics);
  const milliseconds = answers.map((answer) => answer.milliseconds);
  const byType = groupByType(perQuery);
  const { baseline } = asked;
  return {
    mode,
    metrics: meanMetrics(metrics),
    intervals: intervalsOf(metrics),
    judged10: mean(
      queries.map(({ judgements }, place) => judgedShare(idsOf(answers[place]!.entries), judgements, 10)),
    ),
    latency: { p50: percentile(milliseconds, 0.5), p95: percentile(milliseconds, 0.95) },
    calibration: calibrationOf(
      queries.flatMap(({ judgements }, place) =>
        toOutcome(answers[place]!, (document) => (judgements.get(document) ?? 0) > 0),
      ),
      asked.unanswerable.flatMap((answer) => toOutcome(answer, () => false)),
    ),
    ...(byType && { byType }),
    ...(baseline && { comparison: compareWith(baseline, queries, metrics) }),
    perQuery,
  };
}

function evaluateQuery(query: JudgedQuery, { entries, milliseconds }: Answer): QueryEvaluation {
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
  queries: readonly JudgedQuery[],
  metrics: readonly Metrics[],
): readonly Comparison[] {
  const pairs = queries.flatMap((query, place) => {
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
function toOutcome({ entries: [best] }: Answer, isRelevant: (document: string) => boolean): Outcome[] {
  return best ? [{ confidence: best.score, correct: isRelevant(best.document) }] : [];
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
