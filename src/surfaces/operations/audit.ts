/** Operation `audit`: lists broken links, copies, and the documents with the most passages. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { count, documentNameShape, filtered, filtersShape, listOf } from './shapes.ts';
import { fromWire, toWire } from './wire.ts';

export const audit = defineOperation({
  name: 'audit',
  summary: 'List broken links, copies, and the documents with the most passages',
  description:
    'A copy is a document in which at least 80 % of the passages are the same as in another one, word for word.',
  input: () => ({
    filters: filtersShape.optional().describe('Documents to look at.'),
    limit: count(10_000).describe('Max entries of each list, 1–10000 (default: 20).'),
  }),
  output: () => ({
    broken_links: z.strictObject({
      count: z.int().describe('Number of all broken links.'),
      shown: listOf({ ...documentNameShape.shape, line: z.int().min(1), target: z.string() }).describe(
        'By path and line.',
      ),
    }),
    duplicates: z.strictObject({
      count: z.int().describe('Number of groups of copies.'),
      documents: z.int().describe('Number of copies in all groups, without the first document of each.'),
      shown: listOf({
        ...documentNameShape.shape,
        copy_count: z.int().describe('Number of its copies.'),
        copies: listOf({
          ...documentNameShape.shape,
          share: z.number().describe('Share of equal passages, 0.8–1.'),
        }),
      }).describe('Those with the most copies first.'),
    }),
    sizes: z.strictObject({
      largest: listOf({
        ...documentNameShape.shape,
        chunks: z.int().describe('Number of passages.'),
        bytes: z.int().describe('Size of the file.'),
      }).describe('Those with the most passages first.'),
      spread: listOf({ up_to: z.int(), documents: z.int() }).describe(
        'Number of documents with at most `up_to` passages, but more than half of `up_to`.',
      ),
    }),
  }),
  ...filtered,
  http: { path: '/api/audit' },
  async run(context, options, { signal }) {
    await using index = await context.open();
    return toWire(await index.audit({ ...fromWire(options), signal }));
  },
});
