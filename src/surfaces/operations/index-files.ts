/** Operation `index`: builds the index or brings it up to date. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { Index, SyncOptions, SyncReport } from '../../engine/api.ts';
import { defineOperation } from './operation.ts';
import { flag, skippedShape, warningShape } from './shapes.ts';
import { toWire } from './wire.ts';

export const indexFiles = defineOperation({
  name: 'index',
  summary: 'Build the index or bring it up to date',
  description:
    'Reads new and changed files, removes deleted ones from the index, and makes missing vectors. ' +
    'Waits while another process, such as a server, writes the index. ' +
    'With --no-embed, waits only until that process has read all files.',
  input: () => ({
    rebuild: flag('Read all files into a new index; undamaged vectors are kept.'),
    embed: z.boolean().default(true).describe('Make vectors for new passages.'),
    purge: flag('Erase all remains of removed text. Takes about as long as indexing without vectors.'),
    dry_run: flag('Show what would be done, and change nothing.'),
  }),
  output: () => ({
    added: z.int().describe('Number of added files.'),
    changed: z.int(),
    renamed: z.int(),
    removed: z.int(),
    unchanged: z.int(),
    embedded: z.int().describe('Passages whose vector was computed now.'),
    skipped: z.array(skippedShape),
    warnings: z.array(warningShape),
    embedding_error: z.string().optional().describe('Why passages have no vector, if a service failed.'),
    milliseconds: z.number(),
    dry_run: z.boolean(),
    purged: z
      .strictObject({
        documents: z.int().describe('Documents that were analysed again.'),
        vectors: z.int().describe('Vectors of removed passages that were deleted.'),
        bytes_before: z.int(),
        bytes_after: z.int(),
        complete: z
          .boolean()
          .describe(
            'False if removed text is still in the write-ahead log, because another process was reading the index.',
          ),
      })
      .optional(),
  }),
  readOnly: false,
  writesIndex: true,
  cli: { paths: true },
  async run(context, { rebuild, embed, purge, dry_run }, { onText: _, ...control }) {
    await using index = await context.open();
    const wanted = { rebuild, embed, purge, verify: true, publish: true, dryRun: dry_run, ...control };
    const wordsAlone = !embed && !rebuild && !purge;
    const report = await (wordsAlone ? syncWords(index, wanted) : index.sync(wanted));
    return { ...toWire(report), dry_run };
  },
});

/**
 * Brings documents and words up to date, also while another process makes vectors.
 * @throws DocfuseError `index_busy` if another process writes and files must be read; also all that `sync` throws
 */
export function syncWords(index: Index, options: SyncOptions): Promise<SyncReport> {
  return index.sync({ ...options, embed: false }).catch((error) => {
    const busy = error instanceof DocfuseError && error.code === 'index_busy';
    // If the other process only makes vectors, all files are read already, and that is enough here.
    return busy ? nothingToRead(index, error, options.signal) : Promise.reject(error);
  });
}

/**
 * Returns the report if all files are already in the index. Stops at the first file that is not.
 * @throws `otherwise` if a file must be read or removed
 */
async function nothingToRead(index: Index, otherwise: Error, signal?: AbortSignal): Promise<SyncReport> {
  const found = new AbortController();
  const report = await index.sync({
    dryRun: true,
    embed: false,
    onProgress: () => found.abort(otherwise),
    signal: signal ? AbortSignal.any([signal, found.signal]) : found.signal,
  });
  if (found.signal.aborted || report.removed > 0) throw otherwise;
  return report;
}
