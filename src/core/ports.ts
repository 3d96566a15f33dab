/** Interfaces that core needs from the outside world; adapters implement them, `engine/open.ts` connects them. */
import type { Chunk, Parent } from './model/chunk.ts';
import type { DocumentFields, FrontMatter, Link, PathScope } from './model/document.ts';
import type { SkipReason } from './model/formats.ts';

/** A value, or a promise of it: an index in memory and an embedded store answer synchronously. */
export type Awaitable<T> = T | Promise<T>;

// --- Source: where documents come from -----------------------------------------------------------

export interface SourceFile {
  /** Path relative to the root, with `/`, exactly as on disk. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /**
   * A number that differs after a change of the contents; 0 if unknown. For a file in an archive: its checksum. For a file on disk:
   * its ctime, the last change of contents, name or rights, in milliseconds since 1970. Programs cannot set the ctime back.
   */
  readonly altered: number;
}

export interface SourceText {
  /** Content of the file, without byte order mark. Line ends are unchanged. */
  readonly text: string;
  /** Hash of the bytes, in hexadecimal. */
  readonly hash: string;
  readonly warnings: readonly string[];
}

/** A file that was left out, and why; for `status` and warnings. */
export interface SkippedFile {
  readonly path: string;
  /** An `unreadable` file may still be a document. A file with another reason is not a document, even if it was before. */
  readonly reason: SkipReason;
  readonly detail?: string;
}

/** Makes Markdown of files in other formats. */
export interface Converter {
  /** Returns the optional packages that the format of a file needs and that are not installed; mostly none. */
  missingPackages(path: string): readonly string[];
  /**
   * Returns the Markdown of a file, with its metadata as front matter. If the file cannot be converted, returns the reason as one
   * sentence.
   * Returns undefined for a file that is already text.
   * @throws the reason of `signal`; Error if the fault is not in the file, such as a converting process that was killed
   */
  convert(
    path: string,
    bytes: Uint8Array,
    signal?: AbortSignal,
  ): Promise<{ readonly text: string } | { readonly problem: string } | undefined>;
}

/** A folder to watch: a change in it may change the list of files. */
export interface ListedFolder {
  /** Path relative to the root, with `/`; empty for the root. */
  readonly path: string;
  /** Absolute path without symbolic links. */
  readonly place: string;
}

export interface ListOptions {
  /** Lists only the files in this scope; their entries are the same as in a full list. @default all */
  readonly within?: PathScope;
  /**
   * Whether the collection had documents before. If so, an empty root is treated as missing: it may be a mount point without
   * its drive.
   * @default false
   */
  readonly mustHold?: boolean;
  /** Called before a folder is read, so that a watcher started by this call misses no change. */
  readonly onFolder?: (folder: ListedFolder) => void;
}

export interface Source {
  /**
   * Lists the files of the collection in path order; files that are left out go to `onSkip`.
   * @throws DocfuseError `not_found` if the root does not exist
   */
  list(
    onSkip: (file: SkippedFile) => void,
    signal?: AbortSignal,
    options?: ListOptions,
  ): AsyncIterable<SourceFile>;
  /**
   * Returns the path to list again after a change at `path`: `path` itself or, for an ignore file, the folder to which it applies.
   * Undefined if the change affects no document.
   * @param isFolder whether `path` is or was a folder
   */
  touchedBy(path: string, isFolder: boolean): string | undefined;
  /** Reads the text of one file, or returns the reason why the file cannot be read. */
  read(path: string, signal?: AbortSignal): Promise<SourceText | SkippedFile>;
}

/** Something was added, removed or changed in a watched folder. The event may come repeatedly, early or late. */
export interface FolderEvent {
  /** The watched folder, as passed to `watch`. */
  readonly folder: string;
  /** Name of the file or folder that changed; absent if the system does not report it. */
  readonly name?: string;
  /** Whether the changed item is a folder, or was a watched folder. */
  readonly isFolder: boolean;
}

/** Reports which files may have changed. */
export interface Watcher {
  /**
   * Watches the files and folders directly inside a folder. A folder that was moved must be watched again.
   * @returns undefined if the system will report changes; otherwise one sentence that says why it will not
   */
  watch(folder: string): string | undefined;
  /** Stops watching a folder. Does nothing if the folder is not watched. */
  unwatch(folder: string): void;
  close(): void;
}

// --- Embedder and vectors ------------------------------------------------------------------------

export interface Embedder {
  /** Identity of the model, stored in the index. Vectors of models with the same identity can be compared. */
  readonly model: string;
  readonly dimensions: number;
  /** Identifies the state of the model's files: while it is the same, `model` is. Absent if they have just changed, and for services. */
  readonly stamp?: string | undefined;
  /** Host of the service that gets the texts; absent if they stay on this machine. */
  readonly host?: string;
  embedQuery(text: string): Promise<Float32Array>;
  /** Returns one unit vector per text, in order. Each vector depends only on its text. */
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** Number of calls of `embedPassages` at once that keep it busy. @default 3 */
  readonly calls?: number;
  /** Returns once, as a sentence, why the last vectors took longer than needed. */
  readonly problem?: () => string | undefined;
  close(): Promise<void>;
}

/** Finds synonyms. */
export interface Thesaurus {
  /** Returns single words with the same common meaning as `word`, most common first; empty for an unknown word. */
  synonyms(word: string): readonly string[];
  close(): void;
}

/** The words of a language, independent of the collection. */
export interface Lexicon {
  /** Whether a folded word is a word of the language; rare words may be unknown. */
  knows(word: string): boolean;
  /** All known words, and also parts of words. Empty without a dictionary: `knows` is then true for every word. */
  words(): Iterable<string>;
}

export interface LanguageDetector {
  /** Returns the likeliest language (ISO 639-1). Undefined without letters. `isSure` is false if another is nearly as likely. */
  detect(text: string): { readonly language: string; readonly isSure: boolean } | undefined;
}

export interface Reranker {
  /** Returns how well each passage answers the query, 0–1, in order. Each score depends only on its passage and the query. */
  score(query: string, passages: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** A graph whose nodes have places. `x[i]` and `y[i]` are the place of node `i`. */
export interface PlacedGraph {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Edge `i` joins the nodes `sources[i]` and `targets[i]`; a higher weight holds them nearer together. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float32Array;
}

export interface GraphLayout {
  /**
   * Moves linked nodes together and other nodes apart, without blocking this thread. Equal graphs give equal places.
   * @param steps how often all nodes are moved
   * @throws the reason of the signal; Error if the thread that moves the nodes fails
   */
  place(graph: PlacedGraph, steps: number, signal: AbortSignal): Promise<Pick<PlacedGraph, 'x' | 'y'>>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that never jumps; for durations. */
  monotonic(): number;
}

// --- Documents and passages as they are stored -----------------------------------------------------

export interface DocumentRecord extends SourceFile {
  /** Never reused for another document. */
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

/** What comparing files with an index needs to know of a document. */
export type StoredFile = SourceFile & Pick<DocumentRecord, 'number' | 'id' | 'collection' | 'hash'>;

export type NewDocument = Omit<DocumentRecord, 'number'> & {
  readonly chunks: readonly Chunk[];
  readonly parents: readonly Parent[];
  readonly links: readonly Link[];
  /** `vectorKeys[i]` is the hash of the text to embed for `chunks[i]`. */
  readonly vectorKeys: readonly string[];
  /** `contents[i]` is the `contentHash` of `chunks[i]`. */
  readonly contents: readonly number[];
};

/** The fields of a chunk that are kept in memory. */
export interface ChunkHead {
  readonly slot: number;
  /** As in `Chunk`, and so is `parentId`. */
  readonly id: string;
  readonly document: number;
  /** Languages of the code blocks in the chunk. */
  readonly languages: readonly string[];
  /** Result of `contentHash`: equal for equal texts; 0 for a text without visible content. */
  readonly content: number;
  readonly parentId?: string;
}

export type ChunkRecord = Chunk & { readonly slot: number; readonly document: number };
