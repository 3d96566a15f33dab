/** What the core asks of the outside world; adapters implement, `engine/open.ts` composes. */
import type { Chunk, Parent } from './model/chunk.ts';
import type { DocumentFields, FrontMatter, Link, PathScope } from './model/document.ts';

// --- Source: where documents come from -----------------------------------------------------------

export interface SourceFile {
  /** Relative to the root, with `/`, exactly as on disk. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** ctime: the last change of contents, name or rights, which no program can set back; 0 if there is none. */
  readonly altered: number;
}

export interface SourceText {
  /** Line ends as in the file; no byte order mark. */
  readonly text: string;
  /** Hash of the bytes, hexadecimal. */
  readonly hash: string;
  readonly warnings: readonly string[];
}

/** Why a file was left out, for `status` and warnings. */
export interface SkippedFile {
  readonly path: string;
  /** An `unreadable` file may still be a document; for any other reason it is not one, even if it was before. */
  readonly reason: 'too_large' | 'binary' | 'unreadable' | 'outside_root' | 'broken_link';
  readonly detail?: string;
}

/** A folder that was read, or that leads to the files asked for. */
export interface ListedFolder {
  /** Relative to the root, with `/`; empty for the root. */
  readonly path: string;
  /** Absolute, without symbolic links. */
  readonly place: string;
}

export interface ListOptions {
  /** Files and folders outside are left out, as if the whole had been listed. @default everything */
  readonly within?: PathScope;
  /** Whether documents were here before. An empty root then counts as missing: it may be a mount point without its drive. @default false */
  readonly mustHold?: boolean;
  /** Told before the folder is read, so that a watcher that begins then misses nothing. */
  readonly onFolder?: (folder: ListedFolder) => void;
}

export interface Source {
  /**
   * Every file that belongs to the collection, in path order; left-out files go to `onSkip`.
   * @throws DocfuseError `not_found` when the root is not there
   */
  list(
    onSkip: (file: SkippedFile) => void,
    signal?: AbortSignal,
    options?: ListOptions,
  ): AsyncIterable<SourceFile>;
  /**
   * What to list again when something changed at `path`: the path, the folder an ignore file rules, or nothing when no
   * document can have come, gone or changed.
   * @param isFolder whether a folder is, or was, there
   */
  touchedBy(path: string, isFolder: boolean): string | undefined;
  /** Text of one file, or the reason why it cannot be had. */
  read(path: string): Promise<SourceText | SkippedFile>;
}

// --- Watcher: which files may have changed --------------------------------------------------------

/** Something came, went or changed in a watched folder; the event may come more than once, early or late. */
export interface FolderEvent {
  /** The watched folder, as it was given. */
  readonly folder: string;
  /** Name of the file or folder that changed; absent when the system does not say. */
  readonly name?: string;
  /** Whether a folder is, or was watched, under that name. */
  readonly isFolder: boolean;
}

export interface Watcher {
  /**
   * Watches what lies in a folder directly, from now on. A folder that moves must be watched again.
   * @returns why the system will not tell of changes there, one sentence; undefined when it will
   */
  watch(folder: string): string | undefined;
  /** Stops watching a folder; does nothing for one that is not watched. */
  unwatch(folder: string): void;
  close(): void;
}

// --- Embedder and vectors ------------------------------------------------------------------------

export interface Embedder {
  /** Identity of the model: part of the index, equal identities give comparable vectors. */
  readonly model: string;
  readonly dimensions: number;
  embedQuery(text: string): Promise<Float32Array>;
  /** One unit vector per text, in order; each depends on its text alone. */
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** 8-bit rows of unit vectors: component ≈ `(byte − 128) · scale`. Row number = slot. */
export interface VectorMatrix {
  readonly dimensions: number;
  /** Rows in use; the arrays may be longer. */
  readonly rows: number;
  readonly bytes: Uint8Array;
  readonly scales: Float32Array;
  /** Added to each row's score: 0 for a live row, −Infinity for one that is absent or filtered out. */
  readonly mask: Float32Array;
}

export interface ScanResult {
  /** The best rows by approximate cosine, best first; at most k, never a masked one. */
  readonly rows: Int32Array;
  /** Approximate cosine of every row of the matrix (masked rows: −Infinity). */
  readonly scores: Float32Array;
}

export interface VectorScan {
  scan(matrix: VectorMatrix, query: Float32Array, k: number): Promise<ScanResult>;
  close(): Promise<void>;
}

// --- Thesaurus -----------------------------------------------------------------------------------

/** Words of equal meaning. */
export interface Thesaurus {
  /** Single words that share a usual sense with `word`, the most usual first; empty for a word it does not know. */
  synonyms(word: string): readonly string[];
  close(): void;
}

// --- Lexicon -------------------------------------------------------------------------------------

/** Words of a language, whatever the collection holds. */
export interface Lexicon {
  /** Whether a folded word is one; rare words may be unknown. */
  knows(word: string): boolean;
}

// --- Reranker ------------------------------------------------------------------------------------

export interface Reranker {
  /** How well each passage answers the query, 0–1, in order; each depends on its passage and the query alone. */
  score(query: string, passages: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
  close(): Promise<void>;
}

// --- Clock ---------------------------------------------------------------------------------------

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that never jumps, for durations. */
  monotonic(): number;
}

// --- Documents and passages as they are stored -----------------------------------------------------

export interface DocumentRecord extends SourceFile {
  /** Never reused. */
  readonly number: number;
  /** `<collection>/<path>`. */
  readonly id: string;
  readonly collection: string;
  readonly fields: DocumentFields;
  readonly frontMatter: FrontMatter;
  readonly hash: string;
  readonly firstLine: number;
  readonly warnings: readonly string[];
}

export type NewDocument = Omit<DocumentRecord, 'number'> & {
  readonly chunks: readonly Chunk[];
  readonly parents: readonly Parent[];
  readonly links: readonly Link[];
  /** `vectorKeys[i]` belongs to `chunks[i]`: hash of what is embedded for it. */
  readonly vectorKeys: readonly string[];
  /** `contents[i]` is the `contentHash` of `chunks[i]`. */
  readonly contents: readonly number[];
};

/** The little that must be in memory for every chunk. */
export interface ChunkHead {
  readonly slot: number;
  readonly id: string;
  readonly document: number;
  /** Languages of the code blocks it holds. */
  readonly languages: readonly string[];
  /** `contentHash`: equal for equal texts; 0 for a text without visible words. */
  readonly content: number;
  readonly parentId?: string;
}

export type ChunkRecord = Chunk & { readonly slot: number; readonly document: number };
