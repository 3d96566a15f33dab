/** Operation `graph`: documents and the links between them. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { filtersShape, filterValues } from './query-fields.ts';
import { documentNameShape } from './shapes.ts';
import { fromWire, toWire } from './wire.ts';

export const linkGraph = defineOperation({
  name: 'graph',
  summary: 'Show which documents are linked, the most linked first',
  input: () =>
    z.strictObject({
      filters: filtersShape.optional().describe('Documents to show.'),
      limit: z.int().min(1).max(5000).optional().describe('Max documents, 1–5000 (default: 500).'),
    }),
  output: () =>
    z.strictObject({
      nodes: z.array(
        documentNameShape.extend({
          neighbours: z.int().describe('Number of linked documents, in both directions.'),
          community: z.int().optional().describe('Number of its community; 0 is the largest.'),
        }),
      ),
      edges: z
        .array(z.strictObject({ source: z.string(), target: z.string(), weight: z.number() }))
        .describe('Each pair of linked nodes once, by id, with the weight of its strongest link.'),
      total: z.int().describe('Number of documents that pass the filters.'),
    }),
  readOnly: true,
  cli: {
    short: { limit: 'n' },
    values: filterValues,
    paths: true,
  },
  http: { path: '/api/graph' },
  async run(context, options, { signal }) {
    await using index = await context.open();
    return toWire(await index.graph({ ...fromWire(options), ...(signal && { signal }) }));
  },
});
