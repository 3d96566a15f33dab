/** Operation `list_judged`: the queries that were judged, with the grades of their documents. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { defineOperation, type OperationContext } from './operation.ts';

export const listJudged = defineOperation({
  name: 'list_judged',
  summary: 'List the queries that were judged, with their grades',
  description: 'The commands eval and tune use these queries if no set is named.',
  input: () => z.strictObject({}),
  output: () =>
    z.strictObject({
      sets: z
        .array(
          z.strictObject({
            set_folder: z.string(),
            collection: z.string(),
            queries: z.array(
              z.strictObject({
                query: z.string(),
                unanswerable: z.boolean().describe('No document answers the query.'),
                judgements: z.array(
                  z.strictObject({
                    document_id: z.string(),
                    path: z.string(),
                    grade: z.int().describe('2 answers the query, 1 helps, 0 does not.'),
                  }),
                ),
              }),
            ),
          }),
        )
        .describe('One set for each collection.'),
    }),
  readOnly: true,
  cli: { command: ['list', 'judged'], paths: true },
  http: { path: '/api/judged' },
  async run(context, _, { signal }) {
    const { collectedFolderOf, readCollected } = await import('../../engine/evaluate/collected-set.ts');
    await using index = await context.open();
    const collections = await index.collections(signal && { signal });
    const place = { path: index.indexPath, collections: collections.length };
    const sets = collections.map(async ({ name, root }) => {
      const folder = collectedFolderOf(root, place, context.options);
      const queries = (await readCollected(folder)).map(({ query, unanswerable, grades }) => ({
        ...{ query, unanswerable },
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
