/** What an evaluation tells: the shapes of its answer, from one query up to a set. */
import type { ReliabilityBin } from '../../core/evaluate/calibration.ts';
import type { Comparison } from '../../core/evaluate/compare.ts';
import type { Metric, Metrics } from '../../core/evaluate/metrics.ts';
import type { SearchMode } from '../../core/model/query.ts';

/** 95 % bootstrap intervals of means. */
export type Intervals = Readonly<Record<Metric, readonly [low: number, high: number]>>;

export interface QueryEvaluation {
  readonly id: string;
  readonly text: string;
  readonly type?: string;
  readonly metrics: Metrics;
  /** Of the best hit, 0–1; absent when nothing was found. */
  readonly confidence?: number;
  /** Of one search for 100 hits in this process, embedding of the query included. */
  readonly milliseconds: number;
}

export interface TypeEvaluation {
  readonly queries: number;
  readonly metrics: Metrics;
  readonly intervals: Intervals;
}

/** Whether the confidence of the best hit says how often it is relevant. */
export interface Calibration {
  /** Queries that found something. One that nothing answers counts as answered wrongly. */
  readonly answers: number;
  /** Expected calibration error over ten bins, 0–1; less is better. */
  readonly error: number;
  /** The same over the queries that have an answer alone; equal where all have. */
  readonly answerableError: number;
  /** Area under the ROC curve for "the best hit is relevant"; absent when all are, or none is. */
  readonly area?: number;
  readonly bins: readonly ReliabilityBin[];
}

/** Whether nothing is said where nothing answers. */
export interface Refusal {
  /** Queries that no document answers. */
  readonly queries: number;
  /** Share of them for which nothing passes the threshold, 0–1; more is better. */
  readonly refused: number;
  /** Share of the answerable queries that keep at least one hit, 0–1; more is better. */
  readonly kept: number;
  /** Area under the ROC curve for "the query has an answer", by the confidence of the best hit. */
  readonly area?: number;
}

export interface ModeEvaluation {
  readonly mode: SearchMode;
  readonly metrics: Metrics;
  readonly intervals: Intervals;
  /** Share of the ten best documents of a query that somebody judged, in the mean; where it is low, measures say little. */
  readonly judged10: number;
  /** Percentiles over queries, milliseconds. */
  readonly latency: { readonly p50: number; readonly p95: number };
  readonly calibration: Calibration;
  /** Present when queries say of what type or difficulty they are. */
  readonly byType?: Readonly<Record<string, TypeEvaluation>>;
  /** Present when the set has queries that nothing answers. */
  readonly refusal?: Refusal;
  /** This mode against `compareFile`, one entry for each measure. */
  readonly comparison?: readonly Comparison[];
  readonly runFile?: string;
  /** The judged queries one by one, in the order of the set. */
  readonly perQuery: readonly QueryEvaluation[];
}

export interface Evaluation {
  readonly set: string;
  readonly documents: number;
  /** Judged queries that were asked. */
  readonly queries: number;
  readonly model: string;
  readonly modes: readonly ModeEvaluation[];
  readonly compareFile?: string;
  readonly warnings: readonly string[];
}
