/** Operation `list_collections`: what the index is made of. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { collectionShape } from './shapes.ts';
import { toWire } from './wire.ts';

export const listCollections = defineOperation({
  name: 'list_collections',
  summary: 'List the collections, with where they lie',
  input: () => z.strictObject({}),
  output: () => z.strictObject({ collections: z.array(collectionShape) }),
  readOnly: true,
  cli: { command: ['list', 'collections'], paths: true },
  http: { path: '/api/collections' },
  async run(context, _, { signal }) {
    await using index = await context.open();
    return { collections: toWire(await index.collections(signal && { signal })) };
  },
});
