/** Operations on judgements: `judge` grades documents for a query, `list_judged` lists the grades. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { ShownDocument } from '../../engine/evaluate/pool-unjudged.ts';
import { askGrades, gradeShape, gradesByPath } from './collect-grades.ts';
import { defineOperation, type OperationContext, type RunOperation, runInside } from './operation.ts';
import { readDocument } from './read-document.ts';
import { search } from './search.ts';
import { flag, listOf } from './shapes.ts';
import { status } from './status.ts';
import { toWire } from './wire.ts';

const input = () => ({
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
  unanswerable: flag('Save that no document answers the query; asks for no grades.'),
  remove: flag(
    'Remove the grades of `documents`, or the mark that `unanswerable` set; with neither, the query with all its grades.',
  ),
  collection: z
    .string()
    .optional()
    .describe('Collection to judge, if several are searched (default: that of `documents`).'),
  set_folder: z.string().optional().describe('Folder of the set (default: judged, beside the index).'),
});
type Asked = z.output<z.ZodObject<ReturnType<typeof input>>>;

export const judge = defineOperation({
  name: 'judge',
  summary: 'Judge what a query finds, for eval and tune',
  description:
    'Shows the found documents one after another and asks for a grade: 2 if it answers the query, 1 if it helps, 0 if neither. Type - to skip, q to end. ' +
    'Saves the grades beside the index as a set for eval and tune. Judging a query again replaces its grades.',
  input,
  output: () => ({
    query: z.string(),
    id: z.string().optional().describe('Id of the query in the set; absent if nothing was judged.'),
    judgements: listOf({ path: z.string(), grade: z.int() }),
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
    // One call at a time: a call reads the files of the set and replaces them, so two calls at once could lose grades.
    guarded: {
      fields: ['query', 'documents', 'grades', 'unanswerable', 'remove', 'collection'],
      running: 1,
    },
  },
  async run(context, asked, control) {
    requireJudging(context);
    const run: RunOperation = (operation, input) => runInside(context, operation, input, control);
    return toWire(await (asked.remove ? removeGrades : saveGrades)(context, asked, run));
  },
});

async function removeGrades(context: OperationContext, asked: Asked, run: RunOperation) {
  const { query, unanswerable, documents = unanswerable ? [] : undefined } = asked;
  const { folder, collection } = await findSet(context, asked, run, documents);
  const { removeJudgements } = await import('../../engine/evaluate/collected-set.ts');
  const own = `${collection.name}/`;
  // A document is named by its id, which begins with the collection, or by its path.
  const byId = documents?.map((each) => (each.startsWith(own) ? each.slice(own.length) : each));
  let done = await removeJudgements(folder, query, byId, unanswerable);
  if (done.removed === 0 && documents) done = await removeJudgements(folder, query, documents);
  return { query, judgements: [], repeated: done.removed > 0, ...done, setFolder: folder };
}

async function saveGrades(context: OperationContext, asked: Asked, run: RunOperation) {
  const { query, unanswerable } = asked;
  const named = asked.documents && (await lookUp(asked.documents, query, run));
  const ids = named?.map(({ id }) => id);
  const { folder, collection } = await findSet(context, asked, run, ids);
  if (unanswerable && (asked.grades ?? asked.documents) !== undefined) {
    throw new DocfuseError(
      'usage',
      'An unanswerable query takes no grades and no documents.',
      'Leave out grades and documents, or leave out unanswerable.',
    );
  }
  const found = unanswerable || named ? undefined : await searchDeep(query, 'hybrid', run);
  const { bestDocuments } = await import('../../engine/evaluate/pool-unjudged.ts');
  const shown = named ?? bestDocuments(found ? [found.hits] : [], asked.top_n);
  const grades = unanswerable ? new Map() : gradesByPath(shown, await gradesOf(shown, found?.notice));
  const answer = {
    query,
    judgements: [...grades].map(([path, grade]) => ({ path, grade })),
    setFolder: folder,
    ...(found?.notice !== undefined && { notice: found.notice }),
  };
  if (grades.size === 0 && !unanswerable) return { ...answer, repeated: false, queries: 0 };
  const { collectJudgements } = await import('../../engine/evaluate/collected-set.ts');
  const judged = { query, grades, unanswerable, docs: collection.root };
  return { ...answer, ...(await collectJudgements(folder, judged)) };

  async function gradesOf(documents: readonly ShownDocument[], heading?: string) {
    if (!asked.grades && context.ask) return (await askGrades(context.ask, documents, heading)).given;
    if (!asked.grades)
      throw new DocfuseError('usage', 'No grades are given.', 'Add one per document, as in --grades 2,0,1.');
    if (asked.grades.length <= documents.length) return asked.grades;
    throw new DocfuseError(
      'usage',
      `There are more grades (${asked.grades.length}) than documents (${documents.length}).`,
      'Give at most one grade for each document.',
    );
  }
}

/** Searches for the 100 best passages. Also brings the index up to date. */
function searchDeep(query: string, mode: SearchMode, run: RunOperation) {
  return run(search, { query, mode, top_n: 100, min_confidence: 0, parents: false });
}

/** Looks up the given documents, so that a misspelled path is an error. */
async function lookUp(documents: readonly string[], query: string, run: RunOperation) {
  await searchDeep(query, 'keyword', run);
  const known = [];
  for (const document of documents) {
    const one = await run(readDocument, { document, max_chars: 1 });
    known.push({ path: one.path, id: one.document_id, text: '' });
  }
  return known;
}

/** Finds the collection to judge, and the folder of its set. @param ids ids of the documents, if any are given */
async function findSet(
  { options }: OperationContext,
  asked: Asked,
  run: RunOperation,
  ids: readonly string[] | undefined,
) {
  const { collections, index_path } = await run(status, {});
  const collection = chooseCollection(collections, asked.collection, ids);
  const { resolve } = await import('node:path');
  const { collectedFolderOf } = await import('../../engine/evaluate/collected-set.ts');
  const index = { path: index_path, collections: collections.length };
  const folder =
    asked.set_folder === undefined
      ? collectedFolderOf(collection.root, index, options)
      : resolve(options.cwd ?? process.cwd(), asked.set_folder);
  return { collection, folder };
}

/** One call judges documents of one collection, because a set stores the path of only one folder. */
function chooseCollection<Known extends { readonly name: string; readonly root: string }>(
  collections: readonly Known[],
  asked: string | undefined,
  ids: readonly string[] = [],
): Known {
  const named = collections.filter(({ name }) =>
    asked === undefined ? ids.some((id) => id.startsWith(`${name}/`)) : name === asked,
  );
  const [collection, ...others] = named.length > 0 || asked !== undefined ? named : collections;
  if (collection && others.length === 0) return collection;
  const names = collections.map(({ name }) => name).join(', ');
  if (asked !== undefined)
    throw new DocfuseError('not_found', `There is no collection ${asked}.`, `Name one of ${names}.`);
  throw new DocfuseError(
    'usage',
    'Only one folder can be judged at a time, but several are searched.',
    `Choose one with collection: ${names}.`,
  );
}

export const listJudged = defineOperation({
  name: 'list_judged',
  summary: 'List the queries that were judged, with their grades',
  description: 'The commands eval and tune use these queries if no set is named.',
  output: () => ({
    sets: listOf({
      set_folder: z.string(),
      collection: z.string(),
      queries: listOf({
        query: z.string(),
        unanswerable: z.boolean().describe('No document answers the query.'),
        judgements: listOf({
          document_id: z.string(),
          path: z.string(),
          grade: z.int().describe('2 answers the query, 1 helps, 0 does not.'),
        }),
      }),
    }).describe('One set for each collection.'),
  }),
  readOnly: true,
  cli: { command: ['list', 'judged'], paths: true },
  http: { path: '/api/judged' },
  async run(context, _, { signal }) {
    const { collectedFolderOf, readCollected } = await import('../../engine/evaluate/collected-set.ts');
    await using index = await context.open();
    const collections = await index.collections({ signal });
    const place = { path: index.indexPath, collections: collections.length };
    const sets = collections.map(async ({ name, root }) => {
      const folder = collectedFolderOf(root, place, context.options);
      const queries = (await readCollected(folder)).map(({ query, unanswerable, grades }) => ({
        query,
        unanswerable,
        judgements: [...grades].map(([path, grade]) => ({ document_id: `${name}/${path}`, path, grade })),
      }));
      return { set_folder: folder, collection: name, queries };
    });
    return { sets: await Promise.all(sets) };
  },
});

/** @throws {DocfuseError} `config` on a server whose page may not save grades */
export function requireJudging({ server }: OperationContext): void {
  if (!server || server().judging) return;
  throw new DocfuseError(
    'config',
    'This server saves no grades.',
    'Start it with docfuse serve --judge, or set judge = true under [server].',
  );
}
