/** Operation `tune`: fits weights and calibration to judged queries. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { CALIBRATIONS } from '../../core/model/search-settings.ts';
import { requireJudging } from './judge.ts';
import { defineOperation } from './operation.ts';
import { flag, judgedSets, listOf } from './shapes.ts';
import { toWire } from './wire.ts';

const weightsShape = z.strictObject({
  keyword_weight: z.number(),
  document_weight: z.number(),
  title_weight: z.number(),
  graph_weight: z.number(),
  code_search_weight: z.number(),
});

const curveShape = z.strictObject({ threshold: z.number(), steepness: z.number() });

const heldOutShape = z.strictObject({
  before: z.number(),
  after: z.number(),
  difference: z.number().describe('`after` minus `before`.'),
  p_value: z.number().describe('Two-sided, by the paired randomisation test.'),
  better: z.int().describe('Queries that got better.'),
  worse: z.int(),
  queries: z.int(),
});

export const tune = defineOperation({
  name: 'tune',
  summary: 'Fit weights and calibration to judged queries',
  description:
    'Every query is measured with weights fitted to other queries. An improvement is reported only if a paired ' +
    'randomisation test supports it. Prints the lines for docfuse.toml.',
  input: () => ({
    sets: judgedSets,
    docs: z.string().optional().describe('Folder of the documents, if they are not in the set.'),
    folds: z
      .int()
      .min(2)
      .max(20)
      .optional()
      .describe(
        'Parts to divide the queries into; each is measured with weights fitted to the others (default: 5).',
      ),
    seed: z.int().min(0).optional().describe('Seed for dividing the queries into parts (default: 1).'),
    write: flag('Write the reported improvements into docfuse.toml.'),
  }),
  output: () => ({
    sets: listOf({ set: z.string(), documents: z.int(), queries: z.int(), unanswerable: z.int() }),
    folds: z.int(),
    fusion: z.strictObject({
      before: weightsShape,
      after: weightsShape.describe('Fitted to all queries.'),
      held_out: heldOutShape.describe('nDCG@10 of all queries.'),
      by_set: z.array(heldOutShape),
      left_out: z
        .array(heldOutShape)
        .optional()
        .describe('nDCG@10 of each set with weights fitted to the other sets.'),
      supported: z.boolean().describe('Whether the test supports the improvement.'),
    }),
    calibration: z.strictObject({
      over: z
        .enum(CALIBRATIONS)
        .describe('Input of the curve: the logit of the confidence model, or the weighted sum.'),
      before: curveShape,
      after: curveShape.optional().describe('Absent if no curve can be fitted to the queries.'),
      held_out: heldOutShape.describe('Brier scores; lower is better.'),
      errors: z
        .strictObject({ before: z.number(), after: z.number() })
        .describe('Expected calibration errors.'),
      supported: z.boolean(),
    }),
    toml: z.string().describe('Lines for docfuse.toml; empty if no improvement is supported.'),
    written: z.string().optional().describe('The configuration file that was written.'),
    tried: z.int().describe('Number of weightings that were tried.'),
    tried_per_second: z.int(),
  }),
  readOnly: false,
  cli: { arguments: ['sets'], values: { docs: 'dir' } },
  http: {
    path: '/api/tune',
    attach: false,
    // Folders and `write` are left out: a page may not choose what is read, and may not change the configuration.
    guarded: { fields: ['folds', 'seed'], running: 1, timeMs: 600_000 },
  },
  async run(context, { sets: named, docs, folds, seed, write }, control) {
    requireJudging(context);
    const { setsOrCollected } = await import('../../engine/evaluate/collected-set.ts');
    const sets = setsOrCollected(named, context.options);
    if (sets.length > 1 && docs !== undefined) {
      throw new DocfuseError(
        'usage',
        'The option `docs` is for one set; several are named.',
        'Name one set.',
      );
    }
    const { tuneSets } = await import('../../engine/evaluate/tune.ts');
    return toWire(await tuneSets({ sets, write, docs, folds, seed, open: context.options, ...control }));
  },
});
