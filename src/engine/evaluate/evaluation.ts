/** The result of an evaluation: of a query, a query type, a mode and a set. */
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

/** How well the confidence of the best hit predicts that it is relevant. */
export interface Calibration {
  /** Queries with hits. An unanswerable query with hits counts as wrong. */
  readonly answers: number;
  /** Expected calibration error over ten bins, 0–1; less is better. */
  readonly error: number;
  /** The same, without unanswerable queries. */
  readonly answerableError: number;
  /** Area under the ROC curve for "the best hit is relevant"; absent if all or none are. */
  readonly area?: number;
  readonly bins: readonly ReliabilityBin[];
}

/** How often search returns nothing for unanswerable queries, and something for the others. */
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
  /** Mean share of the ten best documents of a query that are judged. If it is low, the metrics mean little. */
  readonly judged10: number;
  /** Percentiles over queries, milliseconds. */
  readonly latency: { readonly p50: number; readonly p95: number };
  readonly calibration: Calibration;
  /** Present if queries have a type or a difficulty. */
  readonly byType?: Readonly<Record<string, TypeEvaluation>>;
  /** Present if the set has unanswerable queries. */
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
