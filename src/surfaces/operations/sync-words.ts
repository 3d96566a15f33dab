/** Brings documents and words up to date, also while another process makes vectors. */
import { DocfuseError } from '../../core/errors.ts';
import type { Index, SyncOptions, SyncReport } from '../../engine/api.ts';

/** @throws DocfuseError `index_busy` if another process writes and files must be read; also all that `sync` throws */
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
    ...{ dryRun: true, embed: false, onProgress: () => found.abort(otherwise) },
    signal: signal ? AbortSignal.any([signal, found.signal]) : found.signal,
  });
  if (found.signal.aborted || report.removed > 0) throw otherwise;
  return report;
}
