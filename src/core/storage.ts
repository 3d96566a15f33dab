/** Interfaces of storage: the place of an index, and the parts of a store. */
import type { Parent } from './model/chunk.ts';
import type { Link } from './model/document.ts';
import type { MissingCount, MissingText, SavedState } from './model/saved-state.ts';
import type {
  ChunkHead,
  ChunkRecord,
  DocumentRecord,
  NewDocument,
  SkippedFile,
  SourceFile,
  StoredFile,
} from './ports.ts';

// --- IndexPlace: where an index lives ------------------------------------------------------------

/** Shows whether an index has changed. If two editions are equal, the index has not changed between them. */
export interface IndexEdition {
  /** Changes if the index is replaced by another index. */
  readonly identity: string;
  /** This value changes during each write by another process, and again after it. Opening the index may change it, too. */
  readonly written: string;
}

/** What the system allows this process to do with an index. Names of files and folders are for messages. */
export interface IndexRights {
  /** The file or folder that may not be read, if any. */
  readonly unreadable?: string;
  /** The file or folder that may not be written, if any. */
  readonly unwritable?: string;
  /** Whether a writer can lock the index; false on a read-only medium. */
  readonly lockable: boolean;
  /** Files and folders that other users of the machine may access. */
  readonly shared: readonly string[];
}

export interface WriteLock {
  release(): void; // may be called more than once
}

export interface WriteLockOptions {
  /**
   * Max milliseconds to wait for another writer; 0 tries only once. The wait ends early if the other writer has already been
   * writing for longer than this. @default 2000
   */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface RenewOptions {
  /** Returns the key of an embedded text: the new index finds its vectors by these keys. @default no vectors are kept */
  readonly keyOf?: ((text: string) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of vectors read so far; a vector that several passages use is counted for each of them. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Where the documents of an index come from. */
export interface IndexOrigin {
  /** Absolute paths of the collections' roots. */
  readonly roots: readonly string[];
  /** Names of the collections that have documents. */
  readonly filled: readonly string[];
  /** Ids of folders where another file system is mounted or was mounted. */
  readonly mounts: readonly string[];
}

/** The place of one index, which may not exist yet. Keeps no file open itself. */
export interface IndexPlace {
  /** Name of the index in messages, such as the path of its file. */
  readonly name: string;
  /** Undefined if no index exists, or if its folder may not be read. In the second case, `open` throws. */
  edition(): IndexEdition | undefined;
  /** Whether an older version made the index. The index must then be renewed before it can be opened. */
  isOutdated(): boolean;
  /** Reads where the documents come from, even if the index is outdated. Returns empty lists if this cannot be read. */
  origin(): IndexOrigin;
  /**
   * Opens the index, and creates it if it does not exist. An index that may not be written, or that belongs to another user, is
   * opened read-only.
   * @throws DocfuseError `index_newer`, `index_damaged`, `index_busy`, `storage`
   */
  open(): Store;
  /** Opens an existing index read-only. Until `close`, reads show the index as it is now, even if other processes write. */
  openFrozen(): Store;
  /** Opens an empty index that is not stored, for a search where no index exists. */
  openEmpty(): Store;
  /**
   * Waits until this process may write.
   * @throws DocfuseError `index_busy`, which names the other writer; `storage`, also if the index belongs to another user. Also
   * throws the reason of an aborted signal.
   */
  lock(options?: WriteLockOptions): Promise<WriteLock>;
  /**
   * Replaces the index by a new one that keeps only the vectors. Requires the lock. If the renewal is stopped, nothing changes.
   * @throws DocfuseError `index_busy`, `storage`
   */
  renew(options?: RenewOptions): Promise<void>;
  /**
   * Rewrites the index file without any byte of removed text. Requires the lock. The index may be open.
   * @throws DocfuseError `index_damaged`, `index_busy`, `storage`; the index then does not change
   */
  rewrite(): Promise<void>;
  /** Name of the unfinished file of a renewal that is running or was killed; undefined if there is none. */
  unfinished(): string | undefined;
  /** Removes the unfinished file of a killed renewal. Requires the lock. */
  removeUnfinished(): void;
  rights(): IndexRights;
}

// --- State: small facts about an index -----------------------------------------------------------

/** Facts about an index. All can be computed again, so damaged values are treated as absent. */
export interface IndexState extends SavedState {
  /** Increases with every change that other processes must load. */
  readonly generation: number;
  /** Time of the last complete run over all files, ISO 8601; absent before the first. */
  readonly updated: string;
  /** Absolute paths of the collections' roots. */
  readonly roots: readonly string[];
  readonly skipped: readonly SkippedFile[];
  /** Files that could not be converted, by id, with size and times: they are tried again only after a change. */
  readonly notConverted: Readonly<Record<string, string>>;
  /** Ids of folders where another file system is mounted or was mounted. */
  readonly mounts: readonly string[];
  /** Identity of the model that made the vectors. */
  readonly model: string;
  /** Name of the model in the settings. */
  readonly modelName: string;
  /** Index fingerprint: identifies the rules by which documents were read and split. */
  readonly fingerprint: string;
  /** Collections, folders and documents that must still be split by the rules of `fingerprint`. */
  readonly staleDocuments: readonly string[];
  /** The last error of reading files; empty after a success. */
  readonly readingError: string;
  readonly embeddingError: string;
  /** Time when the index was last checked and found undamaged, in milliseconds since 1970. */
  readonly verified: number;
  /** Identifies the rules by which words were analysed. */
  readonly analysis: string;
  /** Value of `documentsEdition` when the words of all documents were last saved. */
  readonly wordsSaved: string;
  /** Value of `documentsEdition` when vectors without a passage were last deleted, and the models of that run. */
  readonly pruned: string;
  /** Model, segments and number of words from which the vocabulary was made. */
  readonly vocabularySource: string;
}

export interface StateStore {
  /** Undefined for a key that was never set. */
  getState<Key extends keyof IndexState>(key: Key): IndexState[Key] | undefined;
  /** Whether `getState` would find a value. Does not make it. */
  hasState(key: keyof IndexState): boolean;
  /** Writes all changes in one transaction. */
  setState(changes: Partial<IndexState>): void;
}

// --- Documents, passages and links ---------------------------------------------------------------

export interface PutDocument {
  readonly number: number;
  /** Slots of the document's passages, in order. */
  readonly slots: readonly number[];
  /** Slots of the replaced document. */
  readonly removed: readonly number[];
}

export interface DocumentStore {
  document(number: number): DocumentRecord | undefined;
  /** Returns chunks in the order of `slots`; unknown slots are left out. */
  chunks(slots: readonly number[]): readonly ChunkRecord[];
  /** Returns texts of chunks, without their overlap, in the order of `slots`; unknown slots are left out. */
  texts(slots: readonly number[]): readonly string[];
  chunksOf(document: number): readonly ChunkRecord[];
  parents(ids: readonly string[]): readonly Parent[];
  documents(): Iterable<DocumentRecord>;
  /** Returns the files of all documents, in the order of `documents`. It may be called often, so it need not look for damage. */
  files(): readonly StoredFile[];
  /** Returns the documents that have warnings. */
  documentsWithWarnings(): readonly Pick<DocumentRecord, 'id' | 'warnings'>[];
  /** Identifies the set of documents: changes whenever a document is put or removed. */
  documentsEdition(): string;
  /** Returns the slots of each document in order, by its number; a document without chunks is absent. */
  slotsByDocument(): ReadonlyMap<number, readonly number[]>;
  /** Returns what the catalog keeps of the chunks of a document, in order. */
  headsOf(document: number): readonly ChunkHead[];
  /** Inserts or replaces a document with its chunks, parents and links, in one transaction. */
  putDocument(document: NewDocument): PutDocument;
  /** Sets times and size of a file whose content has not changed. */
  touchDocument(number: number, file: SourceFile): void;
  /** Removes a document and returns its slots. */
  removeDocument(number: number): readonly number[];
}

/** Links are stored and removed with their documents. */
export interface LinkStore {
  linksOf(document: number): readonly Link[];
  /** Returns all links, ordered by document number, then by their order in the text. */
  links(): Iterable<{ readonly document: number; readonly link: Link }>;
}

// --- Vectors -------------------------------------------------------------------------------------

/** The vector of a text, and the key of the text. Equal texts have one vector, which stays when their documents are removed. */
export interface KeyedVector {
  readonly key: string;
  readonly vector: Float32Array;
}

export interface VectorStore {
  vector(model: string, slot: number): Float32Array | undefined;
  /**
   * Returns texts of chunks without a vector of `model`: each key once, shortest text first, at most `limit`.
   * @param except numbers of documents whose chunks need no vector. @default none
   */
  missingVectors(model: string, limit: number, except?: readonly number[]): readonly MissingText[];
  /**
   * Counts the texts of chunks without a vector of `model`, and their characters.
   * @returns `of` is the number of texts of all chunks, with and without a vector
   */
  countMissingVectors(model: string, except?: readonly number[]): MissingCount;
  /** Writes all vectors in one transaction. Rounds their numbers to 12 bits, as `packVector` does. */
  putVectors(model: string, vectors: readonly KeyedVector[]): void;
  /** Returns the vectors of all chunks by `model` as `packVector` packs them, in no particular order. */
  vectors(model: string): Iterable<{ readonly slot: number; readonly packed: Uint8Array }>;
  slotsOfVectorKeys(keys: readonly string[]): Iterable<number>;
  /**
   * Removes vectors without a chunk. Keeps the vectors, by all models, of the texts that lost their last chunk most recently. If
   * `models` is defined, also removes the vectors of all models that are not in it.
   * @param keep number of most recent vectors to keep
   * @returns number of removed vectors
   */
  pruneVectors(models: readonly string[] | undefined, keep: number): number;
  /** Returns the number of vectors without a chunk. */
  countKeptVectors(): number;
}

// --- Capabilities of a store that feeds indexes in memory ----------------------------------------

export type SegmentKind = 'chunks' | 'documents' | 'code';

/**
 * Stores segments of the word indexes as bytes; a large one also has pieces, which are read one by one. A store without segments
 * analyses all words again at every opening.
 */
export interface SegmentStore {
  read(kind: SegmentKind): Iterable<{ readonly id: number; readonly bytes: Uint8Array }>;
  /** Returns the bytes of one segment; undefined if it is not there. */
  get(kind: SegmentKind, id: number): Uint8Array | undefined;
  /** Returns some bytes of a piece of a segment by its number, from 0; fewer if it is shorter, undefined if it is not there. */
  piece(id: number, piece: number, from: number, to: number): Uint8Array | undefined;
  /** Stores a segment, in the place of the segment `over` if it is given and still there. Returns its id. */
  put(kind: SegmentKind, bytes: Uint8Array, over?: number, pieces?: Iterable<Uint8Array>): number;
  /** Returns the ids that the last call of `use` recorded. If `read` does not return one of them, a segment was lost. */
  inUse(kind: SegmentKind): readonly number[];
  /** Records which segments are in use, and removes the segments in `drop`, in one transaction. */
  use(kind: SegmentKind, ids: readonly number[], drop: readonly number[]): void;
}

/** A word of the collection's vocabulary with its embedding, unit length. */
export interface WordVector {
  readonly word: string;
  readonly vector: Float32Array;
}

/** Stores words with their vectors. They are used to expand queries. */
export interface VocabularyStore {
  /** Returns the words of `model` with their vectors as `packVector` packs them, in ascending order. */
  read(model: string): Iterable<{ readonly word: string; readonly packed: Uint8Array }>;
  /** Returns the words of `model` without their vectors. */
  words(model: string): ReadonlySet<string>;
  /** Removes the words in `drop` and all words of other models, then adds or replaces the words in `put`, in one transaction. */
  update(model: string, drop: Iterable<string>, put: readonly WordVector[]): void;
}

// --- Store: all data of an index -----------------------------------------------------------------

export interface StoreCounts {
  readonly documents: number;
  readonly chunks: number;
  readonly embedded: number; // chunks with a vector
}

export interface Store extends DocumentStore, LinkStore, VectorStore, StateStore {
  readonly segments?: SegmentStore;
  readonly vocabulary?: VocabularyStore;
  /** Whether the store is read-only; if so, changes throw `storage`. */
  readonly readOnly: boolean;
  counts(model: string): StoreCounts;
  countLinks(): number;
  bytes(): number;
  /** Runs `work` in one transaction; an error undoes all changes. */
  together(work: () => void): void;
  /** Empties the log of changes, which may still contain removed text. Returns false while other processes read the log. */
  truncateLog(): boolean;
  /** Checks the data. Returns one text for each damage found. */
  problems(): readonly string[];
  close(): void;
}
