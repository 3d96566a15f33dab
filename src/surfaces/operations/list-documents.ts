/** Operation `list`: the documents of the index, page by page. */
import * as z from 'zod';
import { LIST_ORDERS } from '../../engine/documents/documents-api.ts';
import { filtersShape, filterValues } from './filters.ts';
import { defineOperation } from './operation.ts';
import { documentShape } from './shapes.ts';
import { fromWire, toWire } from './wire.ts';

/** So that a list can be whole. */
export const MAX_LISTED = 1_000_000;

export const listDocuments = defineOperation({
  name: 'list',
  summary: 'List the documents of the index',
  input: () =>
    z.strictObject({
      filters: filtersShape.optional().describe('Which to list.'),
      sort: z
        .enum(LIST_ORDERS)
        .optional()
        .describe('By path, by title, or the newest first (default: path).'),
      limit: z.int().min(1).max(MAX_LISTED).optional().describe('Documents at once (default: 50).'),
      cursor: z.string().optional().describe('Where to go on, as the answer before said in next_cursor.'),
    }),
  output: () =>
    z.strictObject({
      documents: z.array(documentShape).describe('In the order asked for.'),
      total: z.int().describe('How many pass the filters.'),
      next_cursor: z.string().optional().describe('Absent at the end.'),
      notice: z.string().optional().describe('Why there are none.'),
    }),
  readOnly: true,
  cli: {
    short: { limit: 'n' },
    values: filterValues,
    paths: true,
  },
  http: { path: '/api/documents' },
  mcp: {
    name: 'list_documents',
    arguments: ['filters', 'limit', 'cursor'],
    defaults: { limit: 30 },
    answer: () =>
      z.object({
        documents: z.array(
          z.object(documentShape.pick({ document_id: true, title: true, tags: true, modified: true }).shape),
        ),
        total: z.int(),
        next_cursor: z.string().optional(),
        notice: z.string().optional(),
      }),
    description:
      'Use it to see which pages there are, or those of a tag, folder or time. For what they say use query_documents.',
  },
  async run(context, options, { signal }) {
    await using index = await context.open();
    return toWire(await index.list({ ...fromWire(options), ...(signal && { signal }) }));
  },
});
