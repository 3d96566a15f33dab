/** Operation `status`: what the index holds and how fresh it is. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import {
  collectionShape,
  communitiesShape,
  indexShape,
  serverShape,
  skippedShape,
  unresolvedLinksShape,
  warningShape,
} from './shapes.ts';
import { toWire } from './wire.ts';

export const status = defineOperation({
  name: 'status',
  summary: 'Show what the index holds and how fresh it is',
  input: () => z.strictObject({}),
  output: () =>
    z.strictObject({
      index: indexShape,
      index_path: z.string(),
      bytes: z.int().describe('Size of the index on disk.'),
      kept_vectors: z
        .int()
        .describe('Vectors of passages that are in no file any more, kept in case they come back.'),
      collections: z.array(collectionShape),
      links: z.int(),
      unresolved_links: unresolvedLinksShape,
      communities: communitiesShape,
      skipped: z.array(skippedShape),
      warnings: z.array(warningShape),
      last_error: z.string().optional(),
      server: serverShape.optional().describe('The server that answered, if one did.'),
    }),
  readOnly: true,
  cli: { paths: true },
  http: { path: '/api/status' },
  mcp: { name: 'index_status', arguments: [] },
  async run(context, _, { signal }) {
    await using index = await context.open();
    return {
      ...toWire(await index.status(signal && { signal })),
      ...(context.server && { server: context.server() }),
    };
  },
});
