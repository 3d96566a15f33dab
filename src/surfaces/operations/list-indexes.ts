/** Operation `list_indexes`: the indexes on this machine. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { keptIndexShape } from './shapes.ts';

export const listIndexes = defineOperation({
  name: 'list_indexes',
  summary: 'List the indexes on this machine',
  description: 'Those in the data folder; one that was put elsewhere is not among them.',
  input: () => z.strictObject({}),
  output: () =>
    z.strictObject({
      folder: z.string().describe('Where indexes are kept.'),
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

/** As it stands on the wire. */
export function toKeptIndex<K extends { readonly used: number }>(
  kept: K,
): Omit<K, 'used'> & { readonly used: string } {
  return { ...kept, used: new Date(kept.used).toISOString() };
}
