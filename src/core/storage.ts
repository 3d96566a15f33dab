/** Where an index is kept, and what it keeps: the ports of storage. */
import type { Parent } from './model/chunk.ts';
import type { Link } from './model/document.ts';
import type { ChunkHead, ChunkRecord, DocumentRecord, NewDocument, SourceFile } from './ports.ts';

/** A word of the collection's vocabulary with its embedding, unit length. */
export interface WordVector {
  readonly word: string;
  readonly vector: Float32Array;
}

export type SegmentKind = 'chunks' | 'documents' | 'code';

export interface StoreCounts {
  readonly documents: number;
  readonly chunks: number;
  /** Chunks whose vector is there. */
  readonly embedded: number;
  readonly links: number;
  readonly bytes: number;
}

export interface Store {
  /** Whether it can only be asked: what changes it throws `storage`. */
  readonly readOnly: boolean;

  /** Small facts: model identity, last sync, last error. Undefined also for one that is damaged: all can be found again. */
  getMeta(key: string): string | undefined;
  setMeta(key: string, value: string): void;

  documents(): Iterable<DocumentRecord>;
  document(number: number): DocumentRecord | undefined;
  chunkHeads(): Iterable<ChunkHead>;
  /** In the order asked; unknown slots are left out. */
  chunks(slots: readonly number[]): readonly ChunkRecord[];
  /** Texts of chunks without their overlap, in the order asked; unknown slots are left out. */
  texts(slots: readonly number[]): readonly string[];
  chunksOf(document: number): readonly ChunkRecord[];
  parents(ids: readonly string[]): readonly Parent[];
  linksOf(document: number): readonly Link[];
  /** All links, those of one document together and in its order. */
  links(): Iterable<{ readonly document: number; readonly link: Link }>;

  /** Inserts or replaces a document with all that hangs on it, in one transaction. */
  putDocument(document: NewDocument): {
    readonly number: number;
    readonly slots: readonly number[];
    readonly removed: readonly number[];
  };
  /** New times and size for unchanged content. */
  touchDocument(number: number, file: SourceFile): void;
  /** Returns the slots that are gone. */
  removeDocument(number: number): readonly number[];

  /** Texts that have chunks but no vector under `model`, each key once, in key order, so lengths are mixed; at most `limit`. */
  missingVectors(model: string, limit: number): readonly { readonly key: string; readonly text: string }[];
  /** @returns `of`: all texts that have chunks */
  countMissingVectors(model: string): {
    readonly texts: number;
    readonly characters: number;
    readonly of: number;
  };
  /** One transaction. */
  putVectors(
    model: string,
    vectors: readonly { readonly key: string; readonly vector: Float32Array }[],
  ): void;
  /** Every chunk's vector under `model`, in no particular order. */
  vectors(model: string): Iterable<{ readonly slot: number; readonly vector: Float32Array }>;
  slotsOfVectorKeys(keys: readonly string[]): Iterable<{ readonly slot: number; readonly key: string }>;
  vector(model: string, slot: number): Float32Array | undefined;
  /**
   * Drops the vectors of all models but `model` (none without one), and those of passages no chunk refers to but for `keep` of
   * them, the ones that went away last; returns how many.
   */
  pruneVectors(model: string | undefined, keep: number): number;
  /** How many vectors are of passages no chunk refers to. */
  countKeptVectors(): number;

  /** The words kept under `model`, in ascending order. */
  vocabulary(model: string): Iterable<WordVector>;
  /** Those words without their vectors. */
  vocabularyWords(model: string): ReadonlySet<string>;
  /** Drops words, and those of all other models; then adds or replaces others. One transaction. */
  updateVocabulary(model: string, drop: Iterable<string>, put: readonly WordVector[]): void;

  segments(kind: SegmentKind): Iterable<{ readonly id: number; readonly bytes: Uint8Array }>;
  /** Replaces `drop` by `bytes` in one transaction; returns the new segment's id. */
  putSegment(kind: SegmentKind, bytes: Uint8Array, drop?: readonly number[]): number;
  dropSegments(kind: SegmentKind, ids: readonly number[]): void;

  counts(model: string): StoreCounts;
  /** What is wrong with the data as it lies on disk, in the words of the database; empty when all is well. */
  problems(): readonly string[];
  close(): void;
}
