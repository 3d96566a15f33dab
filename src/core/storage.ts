/** Where an index is kept, and what it keeps: the ports of storage. */
import type { Parent } from './model/chunk.ts';
import type { Link } from './model/document.ts';
import type {
  ChunkHead,
  ChunkRecord,
  DocumentRecord,
  NewDocument,
  SkippedFile,
  SourceFile,
} from './ports.ts';

// --- IndexPlace: where an index lives ------------------------------------------------------------

/** Tells one state of an index from another. */
export interface IndexEdition {
  /** Differs when another index was put in its place. */
  readonly identity: string;
  /** Differs after every write by others, and while they write. */
  readonly written: string;
}

/** What the system allows to do with an index; values are names of files that people know. */
export interface IndexRights {
  /** May not be read. */
  readonly unreadable?: string;
  /** May not be written. */
  readonly unwritable?: string;
  /** Whether a writer can keep others out: not on a read-only medium. */
  readonly lockable: boolean;
  /** Open to other users of the machine. */
  readonly shared: readonly string[];
}

export interface WriteLock {
  /** May be called more than once. */
  release(): void;
}

export interface WriteLockOptions {
  /**
   * How long to wait for another writer, in milliseconds; 0 asks once. If that writer has been writing for
   * longer, the call does not wait.
   * @default 2000
   */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

export interface RenewOptions {
  /** Key of a text that is embedded. @default no vectors are kept */
  readonly keyOf?: ((text: string) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many of all vectors were looked at, counted once for each passage they stand for. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The place of one index, which may be empty. Nothing is kept open. */
export interface IndexPlace {
  /** What messages call the index, such as the path of its file. */
  readonly name: string;
  /** Undefined where there is no index, or the index may not be read: `open` then says what is wrong. */
  edition(): IndexEdition | undefined;
  /** Whether an older version made the index, which then has to be renewed before it can be opened. */
  isOutdated(): boolean;
  /**
   * Opens the index, or makes it. One that may not be written, or belongs to another user, is opened for reading alone.
   * @throws DocfuseError `index_newer`, `index_damaged`, `index_busy`, `storage`
   */
  open(): Store;
  /** An empty index that leaves no trace, for questions to one that is not there. */
  openEmpty(): Store;
  /**
   * Waits for the right to write.
   * @throws DocfuseError `index_busy` naming who has it; `storage`, for an index of another user, too; or what the signal was aborted with
   */
  lock(options?: WriteLockOptions): Promise<WriteLock>;
  /**
   * Replaces what the index holds by its vectors alone; only for the holder of the lock. Stopping leaves it as it was.
   * @throws DocfuseError `index_busy`, `storage`
   */
  renew(options?: RenewOptions): Promise<void>;
  /**
   * Writes the index again, so that no byte of what was removed is left; only for the holder of the lock. The index may be open.
   * @throws DocfuseError `index_damaged`, `index_busy`, `storage`; the index then stays as it was
   */
  rewrite(): Promise<void>;
  /** The unfinished file of a renewal that is running or was killed; undefined without one. */
  unfinished(): string | undefined;
  /** Removes what a killed renewal left; only for the holder of the lock. */
  removeUnfinished(): void;
  rights(): IndexRights;
}

// --- State: small facts about an index -----------------------------------------------------------

/** Why and where the communities of linked documents were found. */
export interface SavedCommunities {
  /** Hash of the edges they were found in. */
  readonly edges: string;
  /** Document ids: numbers change when a document is read again, ids do not. */
  readonly members: readonly (readonly string[])[];
}

/** All of it can be computed again, so damaged values count as absent. */
export interface IndexState {
  /** Rises when there is something new that other processes must load. */
  readonly generation: number;
  /** When all files were last read, ISO 8601; absent while no run has ended. */
  readonly updated: string;
  /** Of the collections, absolute. */
  readonly roots: readonly string[];
  readonly skipped: readonly SkippedFile[];
  /** Ids of folders in which another file system is mounted, or was. */
  readonly mounts: readonly string[];
  /** Identity of the model the vectors are made with. */
  readonly model: string;
  /** Its name in the settings. */
  readonly modelName: string;
  /** The rules by which documents were read and cut. */
  readonly fingerprint: string;
  /** Collections, folders and documents that are not cut by these rules yet. */
  readonly staleDocuments: readonly string[];
  /** The latest failure of reading files; empty after a success. */
  readonly readingError: string;
  readonly embeddingError: string;
  /** When the index was last looked through and found whole, milliseconds since 1970. */
  readonly verified: number;
  /** The rules by which words were analysed. */
  readonly analysis: string;
  /** Model, segments and number of words that the vocabulary was made from. */
  readonly vocabularySource: string;
  /** Linked documents, three numbers an edge: one, the other, weight. */
  readonly edges: readonly number[];
  readonly communities: SavedCommunities;
  /** The rules and documents for which edges and communities were found. */
  readonly linksSource: string;
}

export interface StateStore {
  /** Undefined for what was never noted. */
  getState<Key extends keyof IndexState>(key: Key): IndexState[Key] | undefined;
  /** One transaction. */
  setState(changes: Partial<IndexState>): void;
}

// --- Documents, passages and links ---------------------------------------------------------------

/** An embedded store answers at once; another one may have to be waited for. */
type Awaitable<T> = T | Promise<T>;

/** Texts and facts for an answer whose documents and passages are known. */
export interface PassageReader {
  document(number: number): Awaitable<DocumentRecord | undefined>;
  /** In the order asked; unknown slots are left out. */
  chunks(slots: readonly number[]): Awaitable<readonly ChunkRecord[]>;
  /** Texts of chunks without their overlap, in the order asked; unknown slots are left out. */
  texts(slots: readonly number[]): Awaitable<readonly string[]>;
  chunksOf(document: number): Awaitable<readonly ChunkRecord[]>;
  parents(ids: readonly string[]): Awaitable<readonly Parent[]>;
  linksOf(document: number): Awaitable<readonly Link[]>;
  vector(model: string, slot: number): Awaitable<Float32Array | undefined>;
}

/** The same, answered at once. */
type ImmediateReader = {
  readonly [Name in keyof PassageReader]: (
    ...input: Parameters<PassageReader[Name]>
  ) => Awaited<ReturnType<PassageReader[Name]>>;
};

export interface PutDocument {
  readonly number: number;
  /** Of its passages, in order. */
  readonly slots: readonly number[];
  /** Slots of the document that it replaces. */
  readonly removed: readonly number[];
}

export interface DocumentStore
  extends Pick<ImmediateReader, 'document' | 'chunks' | 'texts' | 'chunksOf' | 'parents'> {
  documents(): Iterable<DocumentRecord>;
  chunkHeads(): Iterable<ChunkHead>;
  /** Inserts or replaces a document with its chunks, parents and links, in one transaction. */
  putDocument(document: NewDocument): PutDocument;
  /** New times and size for unchanged content. */
  touchDocument(number: number, file: SourceFile): void;
  /** Returns the slots that are gone. */
  removeDocument(number: number): readonly number[];
}

/** Links come and go with their documents. */
export interface LinkStore extends Pick<ImmediateReader, 'linksOf'> {
  /** All links, those of one document together and in its order. */
  links(): Iterable<{ readonly document: number; readonly link: Link }>;
}

// --- Vectors -------------------------------------------------------------------------------------

/** The vector of a text, by the key of that text: equal texts share it, and it outlives their documents. */
export interface KeyedVector {
  readonly key: string;
  readonly vector: Float32Array;
}

export interface VectorStore extends Pick<ImmediateReader, 'vector'> {
  /** Texts that have chunks but no vector under `model`, each key once, the shortest first; at most `limit`. */
  missingVectors(model: string, limit: number): readonly { readonly key: string; readonly text: string }[];
  /** @returns `of`: all texts that have chunks */
  countMissingVectors(model: string): {
    readonly texts: number;
    readonly characters: number;
    readonly of: number;
  };
  /** One transaction. */
  putVectors(model: string, vectors: readonly KeyedVector[]): void;
  /** Every chunk's vector under `model`, in no particular order. */
  vectors(model: string): Iterable<{ readonly slot: number; readonly vector: Float32Array }>;
  slotsOfVectorKeys(keys: readonly string[]): Iterable<{ readonly slot: number; readonly key: string }>;
  /**
   * Drops vectors of other models than `model`, if one is given, and vectors that no chunk refers to, except the `keep` of
   * these that lost their chunks last.
   * @returns how many were dropped
   */
  pruneVectors(model: string | undefined, keep: number): number;
  /** How many vectors no chunk refers to. */
  countKeptVectors(): number;
}

// --- Capabilities of a store that feeds indexes in memory ----------------------------------------

export type SegmentKind = 'chunks' | 'documents' | 'code';

/** Postings in bytes, so that opening an index analyses no text. Without them words are analysed again at every opening. */
export interface SegmentStore {
  read(kind: SegmentKind): Iterable<{ readonly id: number; readonly bytes: Uint8Array }>;
  /** Returns the new segment's id. */
  put(kind: SegmentKind, bytes: Uint8Array): number;
  /** The segments that the last `use` noted, so that a lost one is noticed. */
  inUse(kind: SegmentKind): readonly number[];
  /** Notes which segments are in use and drops others, in one transaction. */
  use(kind: SegmentKind, ids: readonly number[], drop: readonly number[]): void;
}

/** A word of the collection's vocabulary with its embedding, unit length. */
export interface WordVector {
  readonly word: string;
  readonly vector: Float32Array;
}

/** Words with their vectors, from which queries are expanded. */
export interface VocabularyStore {
  /** The words kept under `model`, in ascending order. */
  read(model: string): Iterable<WordVector>;
  /** Those words without their vectors. */
  words(model: string): ReadonlySet<string>;
  /** Drops words, and those of all other models; then adds or replaces others. One transaction. */
  update(model: string, drop: Iterable<string>, put: readonly WordVector[]): void;
}

// --- Store: the truth of an index ----------------------------------------------------------------

export interface StoreCounts {
  readonly documents: number;
  readonly chunks: number;
  /** Chunks whose vector is there. */
  readonly embedded: number;
  readonly links: number;
  readonly bytes: number;
}

export interface Store extends DocumentStore, LinkStore, VectorStore, StateStore {
  readonly segments?: SegmentStore;
  readonly vocabulary?: VocabularyStore;
  /** Whether it is open for reading alone; changes then throw `storage`. */
  readonly readOnly: boolean;
  counts(model: string): StoreCounts;
  /** All that `work` changes is one transaction; an error undoes it all. */
  together(work: () => void): void;
  /** Empties the log of changes, which may still hold removed text; false while others read it. */
  truncateLog(): boolean;
  /** What is wrong with the data as it is kept, in the words of the database; empty when all is well. */
  problems(): readonly string[];
  close(): void;
}
