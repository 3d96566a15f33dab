/** Operation `eval`: measures search quality and speed on judged queries. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { SEARCH_MODES } from '../../core/model/query.ts';
import { evaluationShape } from '../../engine/evaluate/evaluation.ts';
import { collectedShape, collectGrades } from './collect-grades.ts';
import { defineOperation } from './operation.ts';
import { count, flag, judgedSets, proportion } from './shapes.ts';
import { fromWire, toWire } from './wire.ts';

/** Default number of documents to judge for each mode. The measures use the first ten. */
export const USUAL_POOL = 10;

export const evaluate = defineOperation({
  name: 'eval',
  summary: 'Measure search quality and speed on judged queries',
  description:
    'A set is a folder with queries.jsonl and qrels.tsv. Its documents are in corpus.jsonl (BEIR) or are files whose paths are in qrels.tsv. ' +
    'Each query ranks up to 50 documents by their best passage.',
  input: () => ({
    sets: judgedSets,
    modes: z.array(z.enum(SEARCH_MODES)).min(1).optional().describe('Search modes (default: hybrid).'),
    docs: z.string().optional().describe('Folder of the documents, if they are not in the set.'),
    run: z.string().optional().describe('File to write the rankings to, as a TREC run.'),
    compare: z
      .string()
      .optional()
      .describe('TREC run to compare with, query by query. For several modes, use the name given for run.'),
    report: z
      .string()
      .optional()
      .describe('File to write with plots and tables: .html, or .svg for the plots alone.'),
    min_confidence: proportion.describe('Leave out hits below this confidence, 0–1 (default: 0).'),
    collect: flag('First ask for grades of the best unjudged documents, in sets with docs.txt.'),
    top_n: count(100).describe('Best documents of each mode to judge with collect, 1–100 (default: 10).'),
  }),
  output: () => ({
    collected: z.array(collectedShape).optional(),
    notices: z
      .array(z.string())
      .optional()
      .describe('Sets that are not measured, because no document is judged relevant yet.'),
    sets: z.array(evaluationShape()),
    report_file: z.string().optional(),
  }),
  readOnly: false,
  cli: {
    arguments: ['sets'],
    short: { top_n: 'n' },
    values: { docs: 'dir', run: 'file', compare: 'file', report: 'file', modes: 'mode,…' },
  },
  async run(context, { sets: named, run, compare, report, collect, top_n, ...input }, control) {
    const { setsOrCollected } = await import('../../engine/evaluate/collected-set.ts');
    const sets = setsOrCollected(named, context.options);
    if (sets.length > 1 && (run ?? compare ?? input.docs) !== undefined) {
      throw new DocfuseError(
        'usage',
        'A run, a comparison and a folder of documents belong to one set, but several sets are named.',
        'Name one set.',
      );
    }
    if (!collect && top_n !== undefined) {
      throw new DocfuseError(
        'usage',
        'The number of documents to judge is used only with the option collect.',
        'Add the option collect, or leave out the number.',
      );
    }
    if (collect && input.docs !== undefined) {
      throw new DocfuseError(
        'usage',
        'The option `docs` cannot be used with `collect`: docs.txt of the set names the folder whose documents get grades.',
        'Leave out `docs`.',
      );
    }
    const { requireReport, writeReport } = await import('../../engine/evaluate/report.ts');
    if (report !== undefined) await requireReport(report);
    const { evaluate, readBaselines } = await import('../../engine/evaluate/evaluate.ts');
    const { distinctNames, isJudged } = await import('../../engine/evaluate/set-files.ts');
    let collected: Awaited<ReturnType<typeof collectGrades>> | undefined;
    if (collect) {
      const { ask, options } = context;
      if (!ask)
        throw new DocfuseError(
          'usage',
          'There is no user to ask for grades.',
          'Leave out the option collect.',
        );
      const { readGrowingSets } = await import('../../engine/evaluate/pool-unjudged.ts');
      const growing = await readGrowingSets(sets, options);
      const modes = input.modes ?? ['hybrid'];
      for (const { queries } of growing) await readBaselines(compare, modes, queries);
      collected = await collectGrades(growing, context, { modes, depth: top_n ?? USUAL_POOL, ask }, control);
    }
    const measured = [];
    const notices = [];
    for (const set of sets) {
      if (collect && !(await isJudged(set))) {
        notices.push(`No document is judged relevant in ${set} yet, so this set is not measured.`);
        continue;
      }
      const evaluation = await evaluate({
        set,
        ...fromWire(input),
        runFile: run,
        compareFile: compare,
        open: context.options,
        ...control,
      });
      measured.push({ folder: set, name: evaluation.set, evaluation });
    }
    const names = await distinctNames(measured);
    const evaluations = measured.map(({ evaluation }, place) => ({ ...evaluation, set: names[place]! }));
    const written = evaluations.length > 0 ? report : undefined;
    if (written !== undefined) await writeReport(written, evaluations);
    return {
      ...(collected && { collected, notices }),
      sets: evaluations.map(toWire),
      ...(written !== undefined && { report_file: written }),
    };
  },
});
