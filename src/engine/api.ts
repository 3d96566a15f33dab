/** The public API of an open index: types of its options, answers and reports. */
import type { CutProgress } from '../core/fragments/facts.ts';
import type { CompressionStats, Hit } from '../core/model/hit.ts';
import type { QueryType, SearchMode } from '../core/model/query.ts';
import type { Lane } from '../core/model/ranking-constants.ts';
import type { ModelFacts } from '../core/model/saved-state.ts';
import type { SkippedFile } from '../core/ports.ts';
import type { PresetName } from './config/presets.ts';
import type { SettingsOverride } from './config/settings.ts';
import type {
  AuditOptions,
  CollectionFacts,
  DocumentAudit,
  DocumentGraph,
  DocumentList,
  DocumentMap,
  DocumentText,
  GraphOptions,
  ListOptions,
  MapOptions,
  ReadOptions,
  RelatedDocuments,
  RelatedOptions,
  Stoppable,
  TagCount,
  TagOptions,
} from './documents/documents-api.ts';
import type { Filters } from './filters.ts';
import type { SyncOptions, SyncReport } from './sync/sync-api.ts';

export type { SkippedFile } from '../core/ports.ts';
export type { SettingsOverride } from './config/settings.ts';
export type { DocumentChange, SyncOptions, SyncProgress, SyncReport } from './sync/sync-api.ts';

export interface OpenOptions {
  /**
   * Folders or single files to search, relative to `cwd`; each becomes a collection. An empty list never stands for `cwd`.
   * @default the collections of the nearest `docfuse.toml` at or above `cwd`; without that file, the user's collections; else `cwd`
   */
  readonly roots?: readonly string[];
  /** Judged corpora (`corpus.jsonl`) as further collections. */
  readonly corpora?: readonly string[];
  /** A configuration file to use instead of the nearest one. */
  readonly config?: string;
  /** Folder of the index. @default `DOCFUSE_INDEX`, else `index_path`, else a folder for these roots in the user's data folder */
  readonly indexPath?: string;
  /** Name of a preset, whose settings override the configuration file, but not `settings`. @default 'general' */
  readonly preset?: PresetName;
  /** Settings that override the configuration file and the preset, such as `{ search: { fusion: 'rrf' } }`. */
  readonly settings?: SettingsOverride;
  /** @default process.cwd() */
  readonly cwd?: string;
  /**
   * Called once for each model that has moved to a thread, and when an index was closed because a server answers. Much memory of this
   * thread is then garbage, which V8 may keep for long. A program may collect it.
   */
  readonly onGivenBack?: () => void;
}

export interface WatchOptions {
  /**
   * Called with the id of a document that may be new, removed or changed, or of a folder with such documents
   * (`<collection>/<folder>`). One change is often reported several times in a moment, so collect ids before `sync({ only })`.
   */
  readonly onChange: (id: string) => void;
}

export interface Watching {
  /** Says in one sentence why changes may be missed, such as on a network folder; undefined if all changes are reported. */
  problem(): string | undefined;
  /** Whether `sync()` must read all files: another process wrote the index, or a root was replaced. `onChange` reports neither. */
  mustCompare(): boolean;
  close(): void;
}

export interface SearchOptions extends Stoppable {
  /** Max hits, those in `unsure` included, 1–100. @default settings.search.top_n (5) */
  readonly topN?: number;
  /** Whether to search by meaning and words, by one of them, or by code identifiers. @default 'hybrid' */
  readonly mode?: SearchMode;
  /** Which documents and passages to search. @default all */
  readonly filters?: Filters;
  /**
   * Hits below this confidence are left out, 0–1. If `minConfidence` is not given, the best of them may be in `unsure`.
   * @default settings.search.min_confidence (0.24); 0 for a hypothesis
   */
  readonly minConfidence?: number;
  /** Max hits from one document, 1–100. Switches diversification (MMR) off. @default settings.search.max_chunks_per_doc (2) */
  readonly perDocument?: number;
  /** Show each hit as the larger section around it, one hit per section. `matchedLines` has the passage's lines. @default true */
  readonly parents?: boolean;
  /** Fill `hit.explanation`. @default false */
  readonly explain?: boolean;
  /** Reorder the first hits by the reranking model, if `search.rerank_enabled` is true. @default true */
  readonly rerank?: boolean;
  /** Preset for this search. @default the preset with which the index was opened */
  readonly preset?: PresetName;
}

/** Options of a search by hypothesis. It always searches by meaning, so there is no `mode`. */
export interface HypothesisOptions extends Omit<SearchOptions, 'mode'> {
  /** The question. Its words are marked in snippets, and its filters, phrases and exclusions apply. */
  readonly query?: string;
}

/** Size and state of the index that was searched. */
export interface IndexFacts {
  readonly documents: number;
  readonly chunks: number;
  /** Number of chunks with a vector, which can be found by meaning. */
  readonly embedded: number;
  readonly model: string;
  readonly models?: readonly ModelFacts[]; // present if the index has two models
  /** Time of the last sync, ISO 8601; absent before the first. */
  readonly updated?: string;
  /** Whether some chunks have no vector yet. Does not tell whether files have changed. */
  readonly stale: boolean;
  /** Seconds since the newest change in the database; present if a replica answers that lags behind its primary, or has lost it. */
  readonly behindSeconds?: number;
}

export interface SearchResult {
  /** Absent for a hypothesis without a query. */
  readonly query?: string;
  /** The hypothetical answer that was embedded and searched for in place of the query. */
  readonly hypothesis?: string;
  readonly mode: SearchMode;
  /** Type of the query; absent for a hypothesis and for a query of filters only. */
  readonly queryType?: QueryType;
  /** Reason for the type, such as `question mark`. */
  readonly querySign?: string;
  readonly weights: Readonly<Partial<Record<Lane, number>>>;
  /** Hits with at least `minConfidence`. */
  readonly hits: readonly Hit[];
  /**
   * Passages below the threshold: the best one of each document without a hit, until the answer has three documents. Empty if
   * `minConfidence` was given.
   */
  readonly unsure: readonly Hit[];
  readonly stats: CompressionStats;
  /** Milliseconds per stage, and `total`. */
  readonly timingsMs: Readonly<Record<string, number>>;
  readonly index: Omit<IndexFacts, 'models' | 'behindSeconds'>;
  /** One sentence that the reader must know, such as that nothing passed the threshold, or that vectors are still missing. */
  readonly notice?: string;
}

/** Broken links. Links to media and to pages of a web site (`/x`) are not counted. */
export interface UnresolvedLinks {
  readonly count: number;
  /** At most 5 broken links. */
  readonly examples: readonly { readonly path: string; readonly line: number; readonly target: string }[];
}

/** Groups of documents that link to each other more than to others. */
export interface CommunityFacts {
  readonly count: number;
  /** The 3 largest communities. `titles` names at most 3 members: those with the most linked documents. */
  readonly largest: readonly { readonly documents: number; readonly titles: readonly string[] }[];
}

export interface Status {
  readonly index: IndexFacts;
  readonly indexPath: string;
  readonly bytes: number;
  /** Number of vectors of removed passages. They are kept in case the passages come back. */
  readonly keptVectors: number;
  readonly collections: readonly CollectionFacts[];
  readonly links: number;
  readonly unresolvedLinks: UnresolvedLinks;
  readonly communities: CommunityFacts;
  readonly skipped: readonly SkippedFile[];
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
  readonly lastError?: string;
}

export type ExportProgress = CutProgress;

export interface ExportOptions extends Stoppable {
  /** Whether the page can also search by meaning: adds vectors and model. Refused if passages lack vectors. @default false */
  readonly vectors?: boolean;
  /** Called with the progress: first of the map, then of words and texts as they are written. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

export interface ExportReport {
  /** Absolute. */
  readonly folder: string;
  readonly documents: number;
  readonly passages: number;
  /** Number of documents on the map. */
  readonly mapped: number;
  readonly files: number;
  /** Size of all files together. */
  readonly bytes: number;
  /** Size of the files that a browser loads to search by meaning. Present in an export with vectors. */
  readonly meaningBytes?: number;
}

/** The result of one check of an index. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failure';
  /** What was found, one sentence. */
  readonly detail: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/**
 * An open index. Close it with `close()` or `await using`. Unknown options and values out of range are refused with the error
 * `usage`.
 */
export interface Index extends AsyncDisposable {
  readonly indexPath: string;
  /**
   * Brings the index up to date. Fast if no file has changed.
   * @throws DocfuseError `index_busy`, `storage`, `not_found`; `aborted` if the index is closed meanwhile
   */
  sync(options?: SyncOptions): Promise<SyncReport>;
  /**
   * Watches the files for changes. The next `sync()` finds the folders to watch; changes before the end of that `sync()` may be
   * missed. Sync all files every few minutes, because the operating system may not report every change. An index has one watch:
   * a second call ends the first.
   */
  watch(options: WatchOptions): Watching;
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /**
   * Finds passages close in meaning to `hypothesis`, a hypothetical answer (HyDE).
   * @throws DocfuseError `config` if `search.advanced.hyde_enabled` is false, `runtime_missing` without ONNX Runtime
   */
  searchWithHypothesis(hypothesis: string, options?: HypothesisOptions): Promise<SearchResult>;
  /**
   * Reads the text of a document, or some of its lines, as last indexed.
   * @param document id or path of the document, with or without `:START[-END]`, or the id of one of its chunks
   * @throws DocfuseError `not_found` with the three nearest names, `usage` if several documents have the name, or if the
   *   document does not have the lines
   */
  read(document: string, options?: ReadOptions): Promise<DocumentText>;
  /**
   * Finds documents related to a document: linked documents, its community, and documents of similar meaning.
   * @throws DocfuseError `not_found` with the three nearest names, `usage` if several documents have the name
   */
  related(document: string, options?: RelatedOptions): Promise<RelatedDocuments>;
  /**
   * Lists documents page by page.
   * @throws DocfuseError `usage` for an unknown cursor
   */
  list(options?: ListOptions): Promise<DocumentList>;
  /** Counts the tags of the documents that pass the filters, the most frequent first. */
  tags(options?: TagOptions): Promise<readonly TagCount[]>;
  /** Returns the documents with the most linked documents, and the links between them. */
  graph(options?: GraphOptions): Promise<DocumentGraph>;
  /** Finds broken links, copies of documents, and the documents with the most passages. */
  audit(options?: AuditOptions): Promise<DocumentAudit>;
  /** Returns places of linked documents on a map. @throws DocfuseError `internal` if the places cannot be computed */
  map(options?: MapOptions): Promise<DocumentMap>;
  collections(options?: Stoppable): Promise<readonly CollectionFacts[]>;
  /** Writes a static page of the index into a new or empty folder, or over an export. @throws DocfuseError `usage`, `storage` */
  export(folder: string, options?: ExportOptions): Promise<ExportReport>;
  status(options?: Stoppable): Promise<Status>;
  /** Checks folders, permissions, database, segments, model and vectors of the index, and runs a query. */
  check(options?: Stoppable): Promise<readonly Check[]>;
  /**
   * Stops a running sync, waits for running searches, and closes the index. Later calls fail with `usage`, except `close()`.
   */
  close(): Promise<void>;
}
