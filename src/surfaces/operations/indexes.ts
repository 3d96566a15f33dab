/** Operations on the indexes of this machine: `list_indexes` and `remove_index`. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';

const keptIndexShape = z.strictObject({
  name: z.string().describe('Name of the folder of the index.'),
  folder: z.string(),
  roots: z.array(z.string()).describe('Folders it was made from; empty if nothing was read yet.'),
  bytes: z.int(),
  used: z.string().describe('When it was opened or written last, ISO 8601 UTC.'),
});

export const listIndexes = defineOperation({
  name: 'list_indexes',
  summary: 'List the indexes on this machine',
  description: 'Lists the indexes in the data folder. Indexes in other folders are not listed.',
  output: () => ({
    folder: z.string().describe('Folder of the indexes.'),
    indexes: z.array(keptIndexShape),
  }),
  readOnly: true,
  cli: { command: ['indexes'], standalone: true },
  async run() {
    const { listIndexes: list } = await import('../../engine/open-indexes.ts');
    const { folder, indexes } = list();
    return { folder, indexes: indexes.map(toKeptIndex) };
  },
});

export const removeIndex = defineOperation({
  name: 'remove_index',
  summary: 'Delete an index',
  description:
    'Documents stay, and so do the judgements beside the index. The next search makes a new index.',
  input: () => ({
    name: z
      .string()
      .min(1)
      .describe(
        'Name of the index in the list of docfuse indexes, the beginning of that name, or its folder of documents.',
      ),
  }),
  output: () => ({ index: keptIndexShape }),
  readOnly: false,
  cli: { command: ['indexes', 'rm'], arguments: ['name'], standalone: true },
  async run(_, { name }) {
    const { removeIndex: remove } = await import('../../engine/open-indexes.ts');
    return { index: toKeptIndex(await remove(name)) };
  },
});

function toKeptIndex<K extends { readonly used: number }>(kept: K) {
  return { ...kept, used: new Date(kept.used).toISOString() };
}
