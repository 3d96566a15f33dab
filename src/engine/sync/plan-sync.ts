/** What a sync has to do, told from what is listed and what is stored alone: a pure function. */
import type { DocumentRecord } from '../../core/ports.ts';
import { createPathScope } from '../../core/text/path-scope.ts';
import type { FoundFile, FoundFiles } from './list-files.ts';

/** What the plan needs to know of a document in the index. */
export type StoredDocument = Pick<DocumentRecord, 'id' | 'collection' | 'size' | 'modified' | 'altered'>;

export interface PlanOptions {
  /**
   * Documents to read even if their time is unchanged: two changes may fall into one tick of the file system's clock.
   */
  readonly named: ReadonlySet<string>;
  /** Tells documents that were read or cut by other rules than those of now. */
  readonly isStale: (id: string) => boolean;
}

export interface PlannedRead<Stored> {
  readonly found: FoundFile;
  /** What the index holds of it. */
  readonly before?: Stored;
  /** Cut again, even if its text is the same. */
  readonly stale: boolean;
}

export interface SyncPlan<Stored> {
  readonly reads: readonly PlannedRead<Stored>[];
  /** How many of the listed files need not be read. */
  readonly unchanged: number;
  readonly gone: readonly Stored[];
}

/** Documents that cannot be read now, or whose folder or collection cannot, are kept as they were. */
export function planSync<Stored extends StoredDocument>(
  { files, skipped, away }: FoundFiles,
  stored: readonly Stored[],
  { named, isStale }: PlanOptions,
): SyncPlan<Stored> {
  const known = new Map(stored.map((document) => [document.id, document]));
  const missing = new Set(away.map(({ collection }) => collection));
  const unreadable = createPathScope(
    skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path),
  );
  const reads = [...files.values()].flatMap((found): PlannedRead<Stored>[] => {
    const before = known.get(found.id);
    const stale = isStale(found.id);
    if (before && !stale && !named.has(found.id) && isSame(before, found)) return [];
    return [{ found, stale, ...(before && { before }) }];
  });
  return {
    reads,
    unchanged: files.size - reads.length,
    gone: stored.filter(
      ({ id, collection }) => !files.has(id) && !missing.has(collection) && !unreadable.covers(id),
    ),
  };
}

function isSame(before: StoredDocument, { file }: FoundFile): boolean {
  return before.size === file.size && before.modified === file.modified && before.altered === file.altered;
}
