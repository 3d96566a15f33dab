/** What a run does when files are read: looks for damage where that was asked for, and leaves no text of removed documents. */
import type { IndexPlace } from '../../core/storage.ts';
import type { SyncOptions, SyncReport } from '../api.ts';
import { verifyStored } from '../verify-stored.ts';
import { noteError } from '../workspace/note-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { PurgeReport } from './purge-report.ts';

const LOG_IN_USE =
  'Others read the index just now, so its log could not be emptied and may hold text that was removed; the next run empties it.';

export interface TidyOptions extends Pick<SyncOptions, 'only' | 'purge' | 'verify'> {
  readonly place: Pick<IndexPlace, 'name' | 'rewrite'>;
}

/** @throws DocfuseError `index_damaged` */
export async function tidyUp(
  workspace: Workspace,
  report: SyncReport,
  { only, purge: purging, verify, place }: TidyOptions,
): Promise<SyncReport> {
  // If everything was written just now, there is nothing to check.
  if (verify && report.unchanged > 0) verifyStored(workspace, place.name);
  const purged = purging && (await purge(workspace, place.rewrite));
  noteError(workspace.store, 'reading');
  const cleared = await workspace.clearRemains();
  const warnings =
    cleared || only ? report.warnings : [...report.warnings, { path: '', message: LOG_IN_USE }];
  return { ...report, warnings, ...(purged && { purged: { ...purged, complete: cleared } }) };
}

async function purge(
  workspace: Workspace,
  rewrite: () => Promise<void>,
): Promise<Omit<PurgeReport, 'complete'>> {
  const { store } = workspace;
  const size = () => store.counts('').bytes;
  const bytesBefore = size();
  await workspace.readAgain();
  await workspace.flush(true);
  const vectors = workspace.forgetUnused();
  await rewrite();
  return { documents: workspace.catalog().documents, vectors, bytesBefore, bytesAfter: size() };
}
