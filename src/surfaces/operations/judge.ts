/** Operation `judge`: saves how well the documents found answer a query, for `eval` and `tune`. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { ShownDocument } from '../../engine/evaluate/pool-unjudged.ts';
import { askGrades, gradeShape, gradesByPath } from './collect-grades.ts';
import { defineOperation, runInside } from './operation.ts';
import { readDocument } from './read-document.ts';
import { search } from './search.ts';
import { status } from './status.ts';
import { toWire } from './wire.ts';

export const judge = defineOperation({
  name: 'judge',
  summary: 'Judge what a query finds, for eval and tune',
  description:
    'Shows the documents found one by one and asks for a grade: 2 answers the query, 1 helps, 0 does not, - skips, q ends. ' +
    'Saves the grades beside the index as a set for eval and tune. Judging a query again replaces its grades.',
  input: () =>
    z.strictObject({
      query: z.string().min(1).describe('A question as you would ask it.'),
      top_n: z.int().min(1).max(100).default(5).describe('Documents to judge, 1–100 (default: 5).'),
      grades: z
        .array(gradeShape)
        .optional()
        .describe('Grades of the documents in the order found, such as 2,0,1.'),
      documents: z
        .array(z.string())
        .optional()
        .describe('Path of a document to grade, instead of the documents found.'),
      unanswerable: z
        .boolean()
        .default(false)
        .describe('Save that no document answers the query; asks for no grades.'),
      set_folder: z.string().optional().describe('Folder of the set (default: judged, beside the index).'),
    }),
  output: () =>
    z.strictObject({
      query: z.string(),
      id: z.string().optional().describe('Id of the query in the set; absent if nothing was judged.'),
      judgements: z.array(z.strictObject({ path: z.string(), grade: z.int() })),
      repeated: z.boolean().describe('The query was in the set before.'),
      queries: z.int().describe('Queries in the set now.'),
      set_folder: z.string(),
      notice: z.string().optional().describe('What the reader must know about the documents shown.'),
    }),
  readOnly: false,
  cli: { arguments: ['query'], short: { top_n: 'n' }, values: { set_folder: 'dir' }, paths: true },
  async run(context, { query, top_n, unanswerable, ...input }, control) {
    const { resolve } = await import('node:path');
    const { collections, index_path } = await runInside(context, status, {}, control);
    const [collection] = collections;
    if (collection === undefined || collections.length > 1) {
      throw new DocfuseError(
        'usage',
        'Only one folder can be judged at a time, but several are searched.',
        `Name one of ${collections.map(({ root }) => root).join(', ')}.`,
      );
    }
    const { collectedFolder } = await import('../../engine/evaluate/collected-set.ts');
    const cwd = context.options.cwd ?? process.cwd();
    const folder =
      input.set_folder === undefined ? collectedFolder(index_path) : resolve(cwd, input.set_folder);
    if (unanswerable && (input.grades ?? input.documents) !== undefined) {
      throw new DocfuseError(
        'usage',
        'An unanswerable query takes no grades and no documents.',
        'Leave out grades and documents, or leave out unanswerable.',
      );
    }
    let grades: ReadonlyMap<string, number> = new Map();
    let notice: string | undefined;
    if (!unanswerable) {
      const pool = await searchDeep(input.documents ? 'keyword' : 'hybrid');
      if (!input.documents) ({ notice } = pool);
      const { bestDocuments } = await import('../../engine/evaluate/pool-unjudged.ts');
      const found = input.documents ? await lookUp(input.documents) : bestDocuments([pool.hits], top_n);
      const typed = input.grades ?? (await ask(found, notice));
      if (typed.length > found.length) {
        throw new DocfuseError(
          'usage',
          `There are more grades (${typed.length}) than documents (${found.length}).`,
          'Give at most one grade for each document.',
        );
      }
      grades = gradesByPath(found, typed);
    }
    const answer = {
      query,
      judgements: [...grades].map(([path, each]) => ({ path, grade: each })),
      setFolder: folder,
      ...(notice !== undefined && { notice }),
    };
    if (grades.size === 0 && !unanswerable) return toWire({ ...answer, repeated: false, queries: 0 });
    const { collectJudgements } = await import('../../engine/evaluate/collected-set.ts');
    const judged = { query, grades, unanswerable, docs: collection.root };
    return toWire({ ...answer, ...(await collectJudgements(folder, judged)) });

    async function ask(found: readonly ShownDocument[], heading?: string) {
      if (context.ask) return (await askGrades(context.ask, found, heading)).given;
      throw new DocfuseError('usage', 'No grades are given.', 'Add one per document, as in --grades 2,0,1.');
    }

    /** Finds passages whose documents the user grades, unless `documents` are given. Also brings the index up to date. */
    function searchDeep(mode: SearchMode) {
      const asked = { query, mode, top_n: 100, min_confidence: 0, parents: false };
      return runInside(context, search, asked, control);
    }

    /** Looks up the given documents, so that a misspelled path is an error. */
    async function lookUp(documents: readonly string[]): Promise<readonly ShownDocument[]> {
      const known = [];
      for (const document of documents) {
        const { path } = await runInside(context, readDocument, { document }, control);
        known.push({ path, text: '' });
      }
      return known;
    }
  },
});
