/** Computes the plan of a sync from the listed files and the stored documents: a pure function. */
import type { SourceFile, StoredFile } from '../../core/ports.ts';
import { createPathScope } from '../../core/text/paths.ts';
import type { FoundFile, FoundFiles } from './list-files.ts';

export interface PlanOptions {
  /**
   * Ids that the caller of `sync` names in its option `only`. These documents are read even if their file time is unchanged: two
   * changes within one tick of the file system's clock have the same time.
   */
  readonly named: ReadonlySet<string>;
  /** Whether a document was read or split by other rules than the current ones. */
  readonly isStale: (id: string) => boolean;
  /** Stamps of files that could not be converted, by id. They are not tried again while the stamp is the same. */
  readonly notConverted: Readonly<Record<string, string>>;
}

export interface PlannedRead {
  readonly found: FoundFile;
  /** The document as it is in the index; absent for a new document. */
  readonly before?: StoredFile;
  /** Whether to split the document again even if its text is unchanged. */
  readonly stale: boolean;
}

export type SyncPlan = ReturnType<typeof planSync>;

/**
 * Keeps documents in the index if they, their folder or their collection cannot be read at the moment.
 * @returns `unchanged` is the number of listed documents that need not be read; `unconvertible` are files that could not be
 *   converted before and are not tried again
 */
export function planSync(
  { files, skipped, away }: FoundFiles,
  stored: readonly StoredFile[],
  { named, isStale, notConverted }: PlanOptions,
) {
  const known = new Map(stored.map((document) => [document.id, document]));
  const missing = new Set(away.map(({ collection }) => collection));
  const unreadable = createPathScope(
    skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path),
  );
  const reads: PlannedRead[] = [];
  const unconvertible: FoundFile[] = [];
  for (const found of files.values()) {
    const { id, file } = found;
    const before = known.get(id);
    const stale = isStale(id);
    const isSame =
      before?.size === file.size && before.modified === file.modified && before.altered === file.altered;
    const failed = notConverted[id];
    if (failed !== undefined && failed === stampOf(file) && !named.has(id)) unconvertible.push(found);
    else if (!isSame || stale || named.has(id)) reads.push({ found, stale, ...(before && { before }) });
  }
  const gone = stored.filter(
    ({ id, collection }) => !files.has(id) && !missing.has(collection) && !unreadable.covers(id),
  );
  return { reads, unchanged: files.size - reads.length - unconvertible.length, gone, unconvertible };
}

/** Identifies the state of a file by its size and times. */
export function stampOf({ size, modified, altered }: SourceFile): string {
  return `${size} ${modified} ${altered}`;
}
