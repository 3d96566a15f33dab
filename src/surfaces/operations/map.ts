/** Operation `map`: linked documents with their places on a map. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { filtersShape, filterValues } from './query-fields.ts';
import { fromWire, toWire } from './wire.ts';

const position = z.int().min(0);

export const documentMap = defineOperation({
  name: 'map',
  summary: 'Show linked documents as a map of communities',
  input: () =>
    z.strictObject({
      filters: filtersShape.optional().describe('Documents to show.'),
      limit: z
        .int()
        .min(1)
        .max(100_000)
        .optional()
        .describe('Max documents, the most linked first, 1–100000 (default: 20000).'),
      wait: z.boolean().default(true).describe('Wait until the places are computed.'),
    }),
  output: () =>
    z.strictObject({
      documents: z
        .strictObject({
          ids: z.array(z.string()),
          titles: z.array(z.string()),
          neighbours: z.array(z.int()).describe('Numbers of linked documents, in both directions.'),
          communities: z.array(z.int()).describe('Positions in the list of communities; -1 for none.'),
          x: z.array(z.number()),
          y: z.array(z.number()),
        })
        .describe('One entry per document in each list, the most linked document first.'),
      links: z
        .strictObject({ sources: z.array(position), targets: z.array(position) })
        .describe('Each linked pair once, as two positions in the lists of documents.'),
      communities: z
        .array(
          z.strictObject({
            document_id: z.string().describe('Its most linked document.'),
            title: z.string(),
            documents: z.int(),
          }),
        )
        .describe('All communities, the largest first.'),
      total: z.int().describe('Number of linked documents that pass the filters.'),
      unlinked: z.int().describe('Number of documents that pass the filters and have no links.'),
      is_final: z
        .boolean()
        .describe('Whether places were computed from the current links; otherwise they are rough.'),
    }),
  readOnly: true,
  cli: { short: { limit: 'n' }, values: filterValues, paths: true },
  http: { path: '/api/map' },
  async run(context, options, { signal }) {
    await using index = await context.open();
    return toWire(await index.map({ ...fromWire(options), signal }));
  },
});
