/** Ends a run: checks the index for damage if asked, and clears the text of removed documents. */
import { DocfuseError } from '../../core/errors.ts';
import type { IndexPlace } from '../../core/storage.ts';
import type { SyncOptions, SyncReport } from '../api.ts';
import { modelAdvice } from '../model-advice.ts';
import { noteError } from '../workspace/note-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { PurgeReport } from './sync-api.ts';

/** An index up to this size is checked at every call. The check takes about 4 ms per MiB. */
const SMALL_BYTES = 64 * 1024 * 1024;
const DAY_MS = 86_400_000;

const LOG_IN_USE =
  'Another process is reading the index, so the log could not be emptied. The log may still contain removed text; a later run empties it.';
const REBUILT = 'An older docfuse made the index, so all files were read again. Undamaged vectors were kept.';

/**
 * @param outdated whether the index was rebuilt because of its format
 * @throws DocfuseError `index_damaged`
 */
export async function tidyUp(
  workspace: Workspace,
  report: SyncReport,
  { only, purge: purging, verify }: SyncOptions,
  { place, outdated }: { readonly place: IndexPlace; readonly outdated: boolean },
): Promise<SyncReport> {
  // If this run wrote all documents, there is nothing to check.
  if (verify && report.unchanged > 0 && verifyStored(workspace, place.name)) await workspace.repairWords();
  const purged = purging && (await purge(workspace, place.rewrite));
  noteError(workspace.store, 'reading');
  const cleared = await workspace.clearRemains();
  const advice = only || report.added === 0 ? undefined : await adviseOnce(workspace);
  const notes = [
    ...(outdated ? [REBUILT] : []),
    ...(cleared || only ? [] : [LOG_IN_USE]),
    ...(advice ? [advice] : []),
  ];
  const warnings = [...report.warnings, ...notes.map((message) => ({ path: '', message }))];
  return { ...report, warnings, ...(purged && { purged: { ...purged, complete: cleared } }) };
}

/** Returns advice to use another model if that would serve better; undefined once an earlier run has given the advice. */
async function adviseOnce(workspace: Workspace): Promise<string | undefined> {
  const { store } = workspace;
  const advice = store.getState('modelAdvised') ? undefined : await modelAdvice(workspace);
  if (advice) store.setState({ modelAdvised: true });
  return advice && `${advice.message} ${advice.remedy}`;
}

async function purge(
  workspace: Workspace,
  rewrite: () => Promise<void>,
): Promise<Omit<PurgeReport, 'complete'>> {
  const { store } = workspace;
  const bytesBefore = store.bytes();
  await workspace.readAgain();
  await workspace.flush({ all: true });
  const vectors = workspace.forgetUnused();
  await rewrite();
  return { documents: workspace.catalog().documents, vectors, bytesBefore, bytesAfter: store.bytes() };
}

/**
 * Checks the whole index for damage: a small index at every call, a large one once a day.
 * @returns whether it was checked
 * @throws DocfuseError `index_damaged`
 */
export function verifyStored({ store, clock }: Pick<Workspace, 'store' | 'clock'>, name: string): boolean {
  const isSmall = store.bytes() <= SMALL_BYTES;
  const verified = store.getState('verified') ?? 0;
  if (!isSmall && Math.abs(clock.now() - verified) < DAY_MS) return false;
  const [problem] = store.problems();
  if (problem !== undefined)
    throw new DocfuseError(
      'index_damaged',
      `The index ${name} is damaged (${problem}).`,
      'Rebuild it with `docfuse index --rebuild`; your documents are not affected.',
    );
  if (!isSmall) store.setState({ verified: clock.now() });
  return true;
}
