/** Operation `list_tags`: the tags in use. */
import * as z from 'zod';
import { filtersShape, filterValues } from './filters.ts';
import { defineOperation } from './operation.ts';
import { fromWire, toWire } from './wire.ts';

export const listTags = defineOperation({
  name: 'list_tags',
  summary: 'List the tags of documents, the most frequent first',
  input: () =>
    z.strictObject({
      filters: filtersShape.optional().describe('Of which documents.'),
      limit: z.int().min(1).optional().describe('Tags at most (default: all).'),
    }),
  output: () => z.strictObject({ tags: z.array(z.strictObject({ tag: z.string(), documents: z.int() })) }),
  readOnly: true,
  cli: {
    command: ['list', 'tags'],
    short: { limit: 'n' },
    values: filterValues,
    paths: true,
  },
  http: { path: '/api/tags' },
  async run(context, { limit, ...options }, { signal }) {
    await using index = await context.open();
    const tags = await index.tags({ ...fromWire(options), ...(signal && { signal }) });
    return { tags: toWire(tags.slice(0, limit)) };
  },
});
