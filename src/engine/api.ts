/** What a program sees of an open index: the shapes of its options, answers and reports. */
import type { CompressionStats, Hit } from '../core/model/hit.ts';
import type { QueryType, SearchMode } from '../core/model/query.ts';
import type { Lane } from '../core/model/ranking-constants.ts';
import type { SkippedFile } from '../core/ports.ts';
import type { PresetName } from './config/presets.ts';
import type { SettingsOverride } from './config/settings.ts';
import type {
  CollectionFacts,
  DocumentGraph,
  DocumentList,
  DocumentText,
  GraphOptions,
  ListOptions,
  ReadOptions,
  RelatedDocuments,
  RelatedOptions,
  TagCount,
  TagOptions,
} from './documents/documents-api.ts';
import type { Filters } from './filters.ts';
import type { PurgeReport } from './sync/purge-report.ts';

export type { SkippedFile } from '../core/ports.ts';
export type { SettingsOverride } from './config/settings.ts';

export interface OpenOptions {
  /**
   * Folders or single files to search, relative to `cwd`; each becomes a collection.
   * @default the collections of the nearest `docfuse.toml` upward, else the user's, else `cwd`
   */
  readonly roots?: readonly string[];
  /** Judged corpora (`corpus.jsonl`) as further collections. */
  readonly corpora?: readonly string[];
  /** A configuration file to use instead of the nearest one. */
  readonly config?: string;
  /** Folder of the index. @default `DOCFUSE_INDEX`, else `index_path`, else a folder per set of roots in the user's data folder */
  readonly indexPath?: string;
  /** Settings for a kind of documents, laid over the configuration file and under `settings`. @default 'general' */
  readonly preset?: PresetName;
  /** Settings that override the configuration file and the preset, such as `{ search: { fusion: 'rrf' } }`. */
  readonly settings?: SettingsOverride;
  /** @default process.cwd() */
  readonly cwd?: string;
}

export interface SyncProgress {
  /**
   * `copy`: vectors of the former index that `rebuild` has looked at; `read`: files read, cut and indexed by
   * words; `embed`: passages embedded. What was done before counts as done.
   */
  readonly phase: 'copy' | 'read' | 'embed';
  readonly done: number;
  readonly total: number;
  /**
   * Share of this phase's work that is done, 0–1, where items take different time: short passages are embedded first.
   */
  readonly share?: number;
}

/** One document that a sync added, read again or removed; a renamed file is one removed and one added. */
export interface DocumentChange {
  readonly document: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** What to watch for, and whom to tell. */
export interface WatchOptions {
  /**
   * Called with the id of a document that may have come, gone or changed, or `<collection>/<folder>`. One
   * change is often told several times and without delay, so collect some before `sync({ only })`.
   */
  readonly onChange: (id: string) => void;
}

export interface Watching {
  /** Why not every change will be told, one sentence: a root that is away, a network folder, too many folders. */
  problem(): string | undefined;
  /**
   * Whether all files must be compared, by a `sync()` without `only`: another process wrote to the index, or a root was replaced,
   * since the last such sync. No event reports either.
   */
  mustCompare(): boolean;
  close(): void;
}

export interface SyncOptions {
  /**
   * Sync only these documents and folders, by id: `<collection>/<path>`; an empty list only makes vectors.
   * Without an index, all files are read.
   * @default all files
   */
  readonly only?: readonly string[];
  /** Make vectors for new passages. @default true */
  readonly embed?: boolean;
  /** Forget the index first, except for sound vectors. @default false */
  readonly rebuild?: boolean;
  /**
   * Remove every trace of removed documents: words are read again, kept vectors dropped, the file rewritten.
   * @default false
   */
  readonly purge?: boolean;
  /**
   * Check the checksums of everything stored: at every call up to 64 MiB, once a day for a larger index.
   * `sync()` fails with `index_damaged` if one is wrong.
   * @default false
   */
  readonly verify?: boolean;
  /** Report what would be done and change nothing. @default false */
  readonly dryRun?: boolean;
  /** Called with the progress of reading and embedding, after each file and each batch of passages. */
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Called for each document that is added, read again or removed, once that is saved. */
  readonly onChange?: (change: DocumentChange) => void;
  /** Stops without loss: finished work is kept, and the promise rejects. */
  readonly signal?: AbortSignal;
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
  /** Why passages have no vector, where a service failed. Words are indexed; one of `warnings` says so, too. */
  readonly embeddingError?: string;
  /** Present after `purge`. */
  readonly purged?: PurgeReport;
}

export interface SearchOptions {
  /** Hits at most, 1–100. @default settings.search.top_n (5) */
  readonly topN?: number;
  /** How to look: by meaning and words, by one of them, or by code identifiers. @default 'hybrid' */
  readonly mode?: SearchMode;
  /** What to look in. @default everything */
  readonly filters?: Filters;
  /** Hits below this confidence are left out, 0–1. @default settings.search.min_confidence (0.24), below which some are shown as `unsure`; 0 for a hypothesis */
  readonly minConfidence?: number;
  /** Hits from one document at most, 1–100; no variety (MMR) in its place. @default settings.search.max_chunks_per_doc (2) */
  readonly perDocument?: number;
  /** Show each hit as the larger section around it, one hit a section; its lines stay in `matchedLines`. @default true */
  readonly parents?: boolean;
  /** Fill `hit.explanation`. @default false */
  readonly explain?: boolean;
  /** Settings for a kind of documents, in place of the preset the index was opened with. @default none */
  readonly preset?: PresetName;
  /** Ends the search; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Options of a search by hypothesis: by meaning, so there is no mode. */
export interface HypothesisOptions extends Omit<SearchOptions, 'mode'> {
  /** The question, if there is one: its words are marked in snippets, and its filters, phrases and exclusions hold. */
  readonly query?: string;
}

/** What an answer was drawn from. */
export interface IndexFacts {
  readonly documents: number;
  readonly chunks: number;
  /** Chunks that can be found by meaning. */
  readonly embedded: number;
  readonly model: string;
  /** Time of the last sync, ISO 8601; absent before the first. */
  readonly updated?: string;
  /** Some chunks have no vector yet; files are not compared. */
  readonly stale: boolean;
}

export interface SearchResult {
  /** Absent where a hypothesis came without one. */
  readonly query?: string;
  /** What was searched with instead of the query. */
  readonly hypothesis?: string;
  readonly mode: SearchMode;
  /** Type of the query; absent for a hypothesis and for filters alone. */
  readonly queryType?: QueryType;
  /** Reason for the type, such as `question mark`; absent without one. */
  readonly querySign?: string;
  readonly weights: Readonly<Partial<Record<Lane, number>>>;
  /** Sure ones alone. */
  readonly hits: readonly Hit[];
  /** Passages below `minConfidence` that may answer all the same: one of each further document, until three are shown. Empty where `minConfidence` was given. */
  readonly unsure: readonly Hit[];
  readonly stats: CompressionStats;
  /** Milliseconds per stage, and `total`. */
  readonly timingsMs: Readonly<Record<string, number>>;
  readonly index: IndexFacts;
  /** One sentence the reader must know: nothing passed the threshold, vectors still being made. */
  readonly notice?: string;
}

/** Broken links; links to media and to pages of a web site (`/x`) are not counted. */
export interface UnresolvedLinks {
  readonly count: number;
  /** The first few. */
  readonly examples: readonly { readonly path: string; readonly line: number; readonly target: string }[];
}

/** Groups of documents that link to each other more than to others. */
export interface CommunityFacts {
  readonly count: number;
  /** The largest few, with the titles of their best linked members. */
  readonly largest: readonly { readonly documents: number; readonly titles: readonly string[] }[];
}

export interface Status {
  readonly index: IndexFacts;
  readonly indexPath: string;
  readonly bytes: number;
  /** Vectors of passages that are in no file any more, kept in case they come back. */
  readonly keptVectors: number;
  readonly collections: readonly CollectionFacts[];
  readonly links: number;
  readonly unresolvedLinks: UnresolvedLinks;
  readonly communities: CommunityFacts;
  readonly skipped: readonly SkippedFile[];
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
  readonly lastError?: string;
}

/** One thing that was examined. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failure';
  /** What was found, one sentence. */
  readonly detail: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** Options of calls that take time only if they open the index or read much. */
export interface Stoppable {
  /** Ends the work; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * An open index. Unknown options and values out of range are refused with `usage`. Release it with `close()`
 * or `await using`.
 */
export interface Index extends AsyncDisposable {
  readonly indexPath: string;
  /**
   * Brings the index up to date with the files; cheap when nothing changed.
   * @throws DocfuseError `index_busy`, `storage`, `not_found`; `aborted` when the index is closed meanwhile
   */
  sync(options?: SyncOptions): Promise<SyncReport>;
  /**
   * Watches the files for changes. `sync()` decides which folders to watch, so changes before the end of the
   * next sync are not told. Sync all files every few minutes to find what the system did not tell.
   */
  watch(options: WatchOptions): Watching;
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /**
   * Finds passages that mean what `hypothesis` means: a text written as the answer might read (HyDE).
   * @throws DocfuseError `config` where `search.advanced.hyde_enabled` is false, `runtime_missing` without ONNX Runtime
   */
  searchWithHypothesis(hypothesis: string, options?: HypothesisOptions): Promise<SearchResult>;
  /**
   * Text of a document, or lines of it, as last indexed.
   * @param document its id or path, with or without `:START[-END]`, or the id of one of its chunks
   * @throws DocfuseError `not_found` with the three nearest names, `usage` for lines it does not have
   */
  read(document: string, options?: ReadOptions): Promise<DocumentText>;
  /**
   * Documents linked with this one, its community, and those that mean nearly the same.
   * @throws DocfuseError `not_found` with the three nearest names
   */
  related(document: string, options?: RelatedOptions): Promise<RelatedDocuments>;
  /**
   * Documents page by page.
   * @throws DocfuseError `usage` for an unknown cursor
   */
  list(options?: ListOptions): Promise<DocumentList>;
  /** Tags of all documents or of those that pass the filters, the most frequent first. */
  tags(options?: TagOptions): Promise<readonly TagCount[]>;
  /** The best linked documents and the links among them. */
  graph(options?: GraphOptions): Promise<DocumentGraph>;
  collections(options?: Stoppable): Promise<readonly CollectionFacts[]>;
  status(options?: Stoppable): Promise<Status>;
  /** Examines the index and what it stands on: folders, rights, database, segments, model, vectors, a query. */
  check(options?: Stoppable): Promise<readonly Check[]>;
  /**
   * Stops a running sync, waits for searches under way, and releases all; later calls are refused with
   * `usage`. A second call does nothing.
   */
  close(): Promise<void>;
}
