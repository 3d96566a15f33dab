/** Operation `export`: writes a static web page that searches the index and shows its documents. */
import * as z from 'zod';
import { syncWords } from './index-files.ts';
import { defineOperation } from './operation.ts';
import { flag } from './shapes.ts';
import { toWire } from './wire.ts';

export const exportSite = defineOperation({
  name: 'export',
  summary: 'Write a static web page that searches and shows the documents',
  description:
    'Any web server can host the folder; nothing runs there. The page finds words and has a map of linked documents; ' +
    'with --vectors, it can also find by meaning. ' +
    'Everybody who can open the page can read all documents of the index.',
  input: () => ({
    folder: z
      .string()
      .min(1)
      .describe('Folder to write: new, empty, or written by this command alone. Never among the documents.'),
    vectors: flag(
      'Add the vectors and the model, some 32 MB. The page loads them only if its reader switches search by meaning on.',
    ),
  }),
  output: () => ({
    folder: z.string(),
    documents: z.int(),
    passages: z.int(),
    mapped: z.int().describe('Number of linked documents on the map. Without any, the page has no map.'),
    files: z.int(),
    bytes: z.int().describe('Size of all files together.'),
    meaning_bytes: z
      .int()
      .optional()
      .describe('With --vectors: bytes that a browser loads if its user switches search by meaning on.'),
    milliseconds: z.number(),
  }),
  readOnly: false,
  writesIndex: true,
  cli: { arguments: ['folder'], values: { folder: 'dir' }, paths: true },
  async run(context, { folder, vectors }, { onText: _, ...control }) {
    const began = performance.now();
    await using index = await context.open();
    await (vectors ? index.sync(control) : syncWords(index, control));
    const report = await index.export(folder, { vectors, ...control });
    return { ...toWire(report), milliseconds: Math.round(performance.now() - began) };
  },
});
