/** Operation `judge`: saves how well the documents found answer a query, for `eval` and `tune`. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { ShownDocument } from '../../engine/evaluate/pool-unjudged.ts';
import { askGrades, gradeShape, gradesByPath } from './collect-grades.ts';
import { requireJudging } from './list-judged.ts';
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
      remove: z
        .boolean()
        .default(false)
        .describe('Remove the grades of `documents`, or the query with all its grades.'),
      set_folder: z.string().optional().describe('Folder of the set (default: judged, beside the index).'),
    }),
  output: () =>
    z.strictObject({
      query: z.string(),
      id: z.string().optional().describe('Id of the query in the set; absent if nothing was judged.'),
      judgements: z.array(z.strictObject({ path: z.string(), grade: z.int() })),
      repeated: z.boolean().describe('The query was in the set before.'),
      removed: z.int().optional().describe('Grades that were removed; present with `remove`.'),
      queries: z.int().describe('Queries in the set now.'),
      set_folder: z.string(),
      notice: z.string().optional().describe('What the reader must know about the documents shown.'),
    }),
  readOnly: false,
  cli: { arguments: ['query'], short: { top_n: 'n' }, values: { set_folder: 'dir' }, paths: true },
  http: {
    path: '/api/judge',
    attach: false,
    // One at a time: each reads the files of the set, and then replaces them.
    guarded: { fields: ['query', 'documents', 'grades', 'remove'], running: 1 },
  },
  async run(context, { query, top_n, unanswerable, remove, ...input }, control) {
    requireJudging(context);
    const { resolve } = await import('node:path');
    const { collections, index_path } = await runInside(context, status, {}, control);
    const named = input.documents && !remove ? await lookUp(input.documents) : undefined;
    const collection = chooseCollection(collections, remove ? input.documents : named?.map(({ id }) => id));
    const { collectedFolderOf } = await import('../../engine/evaluate/collected-set.ts');
    const { options } = context;
    const folder =
      input.set_folder === undefined
        ? collectedFolderOf(collection.root, { path: index_path, collections: collections.length }, options)
        : resolve(options.cwd ?? process.cwd(), input.set_folder);
    if (remove) {
      const { removeJudgements } = await import('../../engine/evaluate/collected-set.ts');
      const own = `${collection.name}/`;
      // A document is named by its id, which begins with the collection, or by its path.
      const byId = input.documents?.map((each) => (each.startsWith(own) ? each.slice(own.length) : each));
      let done = await removeJudgements(folder, query, byId);
      if (done.removed === 0 && input.documents)
        done = await removeJudgements(folder, query, input.documents);
      return toWire({ query, judgements: [], repeated: done.removed > 0, ...done, setFolder: folder });
    }
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
      const found = named ?? (await findDocuments());
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

    async function findDocuments(): Promise<readonly ShownDocument[]> {
      const pool = await searchDeep('hybrid');
      ({ notice } = pool);
      const { bestDocuments } = await import('../../engine/evaluate/pool-unjudged.ts');
      return bestDocuments([pool.hits], top_n);
    }

    /** Also brings the index up to date. */
    function searchDeep(mode: SearchMode) {
      const asked = { query, mode, top_n: 100, min_confidence: 0, parents: false };
      return runInside(context, search, asked, control);
    }

    /** Looks up the given documents, so that a misspelled path is an error. */
    async function lookUp(
      documents: readonly string[],
    ): Promise<readonly (ShownDocument & { id: string })[]> {
      await searchDeep('keyword');
      const known = [];
      for (const document of documents) {
        const { path, document_id } = await runInside(
          context,
          readDocument,
          { document, max_chars: 1 },
          control,
        );
        known.push({ path, id: document_id, text: '' });
      }
      return known;
    }
  },
});

/** Judgements of one call are of one collection, because a set names one folder. @param ids ids of the documents, if any are given */
function chooseCollection<Known extends { readonly name: string; readonly root: string }>(
  collections: readonly Known[],
  ids: readonly string[] = [],
): Known {
  const named = collections.filter(({ name }) => ids.some((id) => id.startsWith(`${name}/`)));
  const [collection, ...others] = named.length > 0 ? named : collections;
  if (collection && others.length === 0) return collection;
  throw new DocfuseError(
    'usage',
    'Only one folder can be judged at a time, but several are searched.',
    `Name one of ${collections.map(({ root }) => root).join(', ')}.`,
  );
}
