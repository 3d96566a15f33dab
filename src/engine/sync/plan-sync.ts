/** Computes the plan of a sync from the listed files and the stored documents: a pure function. */
import type { DocumentRecord } from '../../core/ports.ts';
import { createPathScope } from '../../core/text/path-scope.ts';
import type { FoundFile, FoundFiles } from './list-files.ts';

export interface PlanOptions {
  /**
   * Documents to read even if their time is unchanged: two changes within one tick of the file system's clock have the same time.
   */
  readonly named: ReadonlySet<string>;
  /** Whether a document was read or split by other rules than the current ones. */
  readonly isStale: (id: string) => boolean;
}

export interface PlannedRead {
  readonly found: FoundFile;
  /** The document in the index. */
  readonly before?: DocumentRecord;
  /** Whether to split the document again even if its text is unchanged. */
  readonly stale: boolean;
}

export type SyncPlan = ReturnType<typeof planSync>;

/**
 * Keeps documents in the index if they, their folder or their collection cannot be read at the moment.
 * @returns `unchanged` is the number of listed files that need not be read
 */
export function planSync(
  { files, skipped, away }: FoundFiles,
  stored: readonly DocumentRecord[],
  { named, isStale }: PlanOptions,
) {
  const known = new Map(stored.map((document) => [document.id, document]));
  const missing = new Set(away.map(({ collection }) => collection));
  const unreadable = createPathScope(
    skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path),
  );
  const reads = [...files.values()].flatMap((found): PlannedRead[] => {
    const before = known.get(found.id);
    const stale = isStale(found.id);
    if (before && !stale && !named.has(found.id) && isSame(before, found)) return [];
    return [{ found, stale, ...(before && { before }) }];
  });
  const gone = stored.filter(
    ({ id, collection }) => !files.has(id) && !missing.has(collection) && !unreadable.covers(id),
  );
  return { reads, unchanged: files.size - reads.length, gone };
}

function isSame(before: DocumentRecord, { file }: FoundFile): boolean {
  return before.size === file.size && before.modified === file.modified && before.altered === file.altered;
}
