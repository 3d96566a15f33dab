/** Carries out what a sync has to do: reads files, and puts, touches and removes documents. */
import type { DocumentRecord, SkippedFile } from '../../core/ports.ts';
import type { SyncOptions, SyncReport } from '../api.ts';
import { inTurns } from '../in-turns.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { cutDocument } from './cut-document.ts';
import type { SyncPlan } from './plan-sync.ts';

/** Documents whose words are gathered before they become one segment. */
const FLUSH_EVERY = 1000;

export interface AppliedPlan {
  readonly counts: Pick<SyncReport, 'added' | 'changed' | 'renamed' | 'removed' | 'unchanged'>;
  /** Files that were listed and could not be read. */
  readonly skipped: readonly SkippedFile[];
  readonly warnings: SyncReport['warnings'];
}

/**
 * Every document is one transaction, so that stopping at any moment loses at most the one at hand. With `dryRun` files are read and
 * nothing is written.
 * @throws whatever `signal` was aborted with; what was done until then is done
 */
export async function applyPlan(
  workspace: Workspace,
  { reads, gone: known, unchanged }: SyncPlan<DocumentRecord>,
  { dryRun = false, signal, onChange, onProgress }: SyncOptions,
): Promise<AppliedPlan> {
  const counts = { added: 0, changed: 0, renamed: 0, removed: 0, unchanged };
  const gone = [...known];
  const goneHashes = countHashes(gone);
  const skipped: SkippedFile[] = [];
  const warnings: { path: string; message: string }[] = [];
  let put = 0;
  for (const [place, { found, before, stale }] of reads.entries()) {
    signal?.throwIfAborted();
    const { id, source, file } = found;
    const content = await source.read(file.path);
    if ('reason' in content) {
      skipped.push({ ...content, path: id });
      if (before && content.reason !== 'unreadable') gone.push(before);
    } else if (before && before.hash === content.hash && !stale) {
      counts.unchanged++;
      if (!dryRun) workspace.touch(before, file);
    } else {
      if (before) counts.changed++;
      else if (takeOne(goneHashes, content.hash)) counts.renamed++;
      else counts.added++;
      if (!dryRun) {
        const { document, text } = await inTurns(cutDocument(found, content, workspace), signal);
        // From here on it is in the index, and nothing stops it half-way.
        await workspace.put(document, text, before);
        warnings.push(...document.warnings.map((message) => ({ path: id, message })));
        onChange?.({ document: id, change: before ? 'changed' : 'added' });
      }
      if (++put % FLUSH_EVERY === 0) await workspace.flush();
    }
    onProgress?.({ phase: 'read', done: unchanged + place + 1, total: unchanged + reads.length });
  }
  for (const document of dryRun ? [] : gone) {
    workspace.remove(document.number);
    onChange?.({ document: document.id, change: 'removed' });
  }
  counts.removed = gone.length - counts.renamed;
  return { counts, skipped, warnings };
}

function countHashes(documents: readonly DocumentRecord[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { hash } of documents) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

function takeOne(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0;
  if (left > 0) counts.set(key, left - 1);
  return left > 0;
}
