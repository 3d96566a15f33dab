/** Operation `remove_index`: deletes an index. */
import * as z from 'zod';
import { toKeptIndex } from './list-indexes.ts';
import { defineOperation } from './operation.ts';
import { keptIndexShape } from './shapes.ts';

export const removeIndex = defineOperation({
  name: 'remove_index',
  summary: 'Delete an index',
  description: 'Documents stay, and so do judgements that lie beside it; the next search makes a new index.',
  input: () =>
    z.strictObject({
      name: z.string().min(1).describe('Its name, as docfuse indexes shows it, or its folder of documents.'),
    }),
  output: () => z.strictObject({ index: keptIndexShape }),
  readOnly: false,
  cli: { command: ['indexes', 'rm'], arguments: ['name'], standalone: true },
  async run(_context, { name }) {
    const { removeIndex: remove } = await import('../../engine/open-indexes.ts');
    return { index: toKeptIndex(await remove(name)) };
  },
});
