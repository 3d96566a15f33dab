/** Operation `index`: builds the index or brings it up to date. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { skippedShape, warningShape } from './shapes.ts';
import { toWire } from './wire.ts';

export const indexFiles = defineOperation({
  name: 'index',
  summary: 'Build the index or bring it up to date',
  description:
    'Reads new and changed files, forgets deleted ones, and makes the vectors that are missing. ' +
    'While another process writes the index, a server above all, it waits until that is done.',
  input: z.strictObject({
    rebuild: z.boolean().default(false).describe('Forget the index first, but for vectors that are sound.'),
    embed: z.boolean().default(true).describe('Make vectors for new passages.'),
    dry_run: z.boolean().default(false).describe('Say what would be done and change nothing.'),
  }),
  output: z.strictObject({
    added: z.int().describe('Files.'),
    changed: z.int(),
    renamed: z.int(),
    removed: z.int(),
    unchanged: z.int(),
    embedded: z.int().describe('Passages whose vector was computed now.'),
    skipped: z.array(skippedShape),
    warnings: z.array(warningShape),
    milliseconds: z.number(),
    dry_run: z.boolean(),
  }),
  readOnly: false,
  writesIndex: true,
  cli: { paths: true },
  async run(context, { rebuild, embed, dry_run }, { onText: _, ...control }) {
    await using index = await context.open();
    const report = await index.sync({ rebuild, embed, dryRun: dry_run, ...control });
    return { ...toWire(report), dry_run };
  },
});
