/** Schema and types of the result of an evaluation. */
import * as z from 'zod';
import { METRICS } from '../../core/evaluate/metrics.ts';
import { SEARCH_MODES } from '../../core/model/query.ts';
import type { Library } from '../wire-names.ts';

const metricsShape = z.record(z.enum(METRICS), z.number());

const intervalsShape = z
  .record(z.enum(METRICS), z.tuple([z.number(), z.number()]))
  .describe('95 % bootstrap intervals of the means.');

/** Schema of an evaluation, with the names of `--json`. */
export function evaluationShape() {
  return z.strictObject({
    set: z.string(),
    documents: z.int(),
    queries: z.int(),
    model: z.string(),
    modes: z.array(modeShape()),
    compare_file: z.string().optional(),
    warnings: z.array(z.string()),
  });
}

export type Evaluation = Library<z.output<ReturnType<typeof evaluationShape>>>;
export type ModeEvaluation = Evaluation['modes'][number];
export type QueryEvaluation = ModeEvaluation['perQuery'][number];
export type TypeEvaluation = NonNullable<ModeEvaluation['byType']>[string];
export type Calibration = ModeEvaluation['calibration'];
export type Refusal = NonNullable<ModeEvaluation['refusal']>;
export type Intervals = ModeEvaluation['intervals'];

function modeShape() {
  return z.strictObject({
    mode: z.enum(SEARCH_MODES),
    metrics: metricsShape,
    intervals: intervalsShape,
    judged10: z
      .number()
      .describe('Share of the ten best documents that have a grade. If it is low, the measures say little.'),
    latency: z.strictObject({ p50: z.number(), p95: z.number() }).describe('Milliseconds of one search.'),
    calibration: z
      .strictObject({
        answers: z.int().describe('Number of queries with a hit. A hit for an unanswerable query is wrong.'),
        error: z.number().describe('Expected calibration error over ten bins.'),
        answerable_error: z.number().describe('Expected calibration error of the answerable queries.'),
        area: z.number().optional().describe('Area under the ROC curve for “the best hit is relevant”.'),
        bins: z.array(
          z.strictObject({
            from: z.number(),
            to: z.number(),
            count: z.int(),
            confidence: z.number().describe('Mean confidence.'),
            correct: z.number().describe('Share of best hits that are relevant.'),
          }),
        ),
      })
      .describe('How well the confidence of the best hit predicts whether it is relevant.'),
    by_type: z
      .record(
        z.string(),
        z.strictObject({ queries: z.int(), metrics: metricsShape, intervals: intervalsShape }),
      )
      .optional()
      .describe('Per type of query, if the set names types.'),
    refusal: z
      .strictObject({
        queries: z.int().describe('Number of unanswerable queries.'),
        refused: z
          .number()
          .describe('Share of the unanswerable queries that find nothing at the threshold of the settings.'),
        kept: z.number().describe('Share of the answerable queries that find something at this threshold.'),
        area: z.number().optional().describe('Area under the ROC curve for “the query has an answer”.'),
      })
      .optional()
      .describe('Present if the set has queries without an answer (type none).'),
    comparison: z
      .array(
        z.strictObject({
          metric: z.enum(METRICS),
          difference: z.number().describe('Mean difference; above 0, this run is better.'),
          p_value: z.number().describe('Two-sided, by the paired randomisation test.'),
          better: z.int().describe('Queries on which this run is better.'),
          worse: z.int(),
          queries: z.int(),
        }),
      )
      .optional()
      .describe('Paired differences to the earlier run.'),
    run_file: z.string().optional(),
    per_query: z.array(
      z.strictObject({
        id: z.string(),
        text: z.string(),
        type: z.string().optional(),
        metrics: metricsShape,
        confidence: z.number().optional().describe('Confidence of the best hit.'),
        milliseconds: z.number(),
      }),
    ),
  });
}
