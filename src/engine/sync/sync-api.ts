/** Options and reports of `Index.sync`. */
import type { SkippedFile } from '../../core/ports.ts';

export interface SyncProgress {
  /**
   * `copy` counts vectors of the former index that `rebuild` has examined. `read` counts files whose words are indexed.
   * `embed` counts embedded passages, `publish` documents sent to a server. Work of earlier syncs counts as done.
   */
  readonly phase: 'copy' | 'read' | 'embed' | 'publish';
  readonly done: number;
  readonly total: number;
  /**
   * How much of this run's work in the phase is done, 0–1. Differs from `done / total` if items take different time: short
   * passages are embedded first.
   */
  readonly share?: number;
  /** Only in the first event of `embed`, if a service on another machine gets more than 1,000 passages. Tokens are estimated. */
  readonly sending?: { readonly host: string; readonly passages: number; readonly tokens: number };
  readonly model?: string; // present if the index has two models
}

/** A document that a sync added, read again or removed. A renamed file is one removed and one added document. */
export interface DocumentChange {
  readonly document: string;
  readonly change: 'added' | 'changed' | 'removed';
}

export interface SyncOptions {
  /**
   * Sync only these documents and folders, by id: `<collection>/<path>`. An empty list reads no files and only makes vectors.
   * If the index is incomplete, all files are read. Not allowed with `rebuild`.
   * @default all files
   */
  readonly only?: readonly string[];
  /** Make vectors for new passages. @default true */
  readonly embed?: boolean;
  /** Replace the index by a new one. Undamaged vectors of a local model are kept. @default false */
  readonly rebuild?: boolean;
  /** Erase all data of removed documents: indexes all words again, deletes unused vectors, rewrites the file. @default false */
  readonly purge?: boolean;
  /**
   * Verify the checksums of all stored data; for an index of more than 64 MiB, at most once a day. A wrong checksum fails with
   * `index_damaged`. @default false
   */
  readonly verify?: boolean;
  /** Publish the index at the end, if `qdrant.url` or `postgres.url` names a server. @default false */
  readonly publish?: boolean;
  /** Report what would be done and change nothing. @default false */
  readonly dryRun?: boolean;
  /** Called with the progress of copying, reading and embedding, such as after each file and each batch of passages. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  /** Called for each document that was added, read again or removed, after the change is saved. */
  readonly onChange?: (change: DocumentChange) => void;
  /** Stops without loss: finished work is kept, and the promise rejects. */
  readonly signal?: AbortSignal | undefined;
}

export interface SyncReport {
  readonly added: number;
  readonly changed: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Passages whose vector was computed now. */
  readonly embedded: number;
  readonly skipped: readonly SkippedFile[];
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
  readonly milliseconds: number;
  /** Why passages have no vector, if a service failed. Their words are indexed. One of `warnings` says the same. */
  readonly embeddingError?: string;
  /** Present after `purge`. */
  readonly purged?: PurgeReport;
}

export interface PurgeReport {
  /** Number of documents that were analysed again. */
  readonly documents: number;
  /** Number of removed vectors; their passages are no longer in any document. */
  readonly vectors: number;
  /** Size of the database in bytes. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** False if another process was reading the index: removed text then stays in the log until a later run can empty it. */
  readonly complete: boolean;
}
