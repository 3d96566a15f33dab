/** An open index from the inside: what it is made of, and what can be done with it. */
import type { ChunkingSettings } from '../../core/chunk/chunk-document.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { PathScope } from '../../core/model/document.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { WordScoring } from '../../core/model/ranking-constants.ts';
import type {
  Clock,
  DocumentRecord,
  Embedder,
  Lexicon,
  NewDocument,
  Reranker,
  SkippedFile,
  Source,
  SourceFile,
  Thesaurus,
  VectorScan,
} from '../../core/ports.ts';
import type { ReadBatch, TextToRead } from '../../core/read-batch.ts';
import type { SearchServices } from '../../core/search/state.ts';
import type { KeyedVector, PassageReader, Store } from '../../core/storage.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import type { IndexFacts } from '../api.ts';
import type { LoadedLinks } from './loaded-links.ts';
import type { SemanticIndex } from './semantic-index.ts';

export interface OpenCollection {
  readonly name: string;
  /** `git`: its documents are no files under the root. */
  readonly kind: 'folder' | 'corpus' | 'git';
  /** Absolute. */
  readonly root: string;
  readonly source: Source;
}

export interface WorkspaceParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly collections: readonly OpenCollection[];
  /** Of the languages the collections are in. */
  readonly analyzers: Analyzers;
  /** How words are scored. @default as `RANKING` says */
  readonly words?: WordScoring;
  readonly chunking: ChunkingSettings;
  /** Name of the model until it is opened. */
  readonly modelName: string;
  readonly openEmbedder: () => Promise<Embedder>;
  readonly openScan: () => Promise<VectorScan>;
  /** Loads its model at the first use. */
  readonly reranker: Reranker;
  /** Whether a vocabulary is kept, to expand queries from. */
  readonly expandQueries: boolean;
  /** Words that are no slips, although no document has them. */
  readonly lexicon: Lexicon;
  /** Absent when no synonyms are looked up. */
  readonly openThesaurus?: () => Thesaurus;
  /** Hash of a text, for the cache of vectors. */
  readonly hash: (text: string) => string;
  /** @param bytes of all files that will be read */
  readonly openReader: (bytes: number, signal?: AbortSignal) => BatchReader;
}

/** Reads texts, in the order in which they are given. */
export interface BatchReader {
  /** How many batches keep it busy. */
  readonly width: number;
  /**
   * May be called again before it ends.
   * @throws DocfuseError `thread_lost`; the reason of the signal
   */
  read(texts: readonly TextToRead[]): Promise<ReadBatch>;
  /** Why it reads more slowly than it could, if it does. */
  readonly problem?: () => string | undefined;
  /** What is not read yet is rejected. */
  close(): Promise<void>;
}

export interface BatchedDocument {
  readonly document: NewDocument;
  /** What it was until now. */
  readonly replaced: DocumentRecord | undefined;
}

/** What is in memory, and how long. */
export interface IndexLifecycle {
  /** Documents and the slots of their chunks, as they are now. */
  catalog(): Catalog;
  /** Links and communities, as they are now. */
  links(): LoadedLinks;
  /** The model alone; opened on first use. */
  embedder(): Promise<Embedder>;
  /** The model and the vectors; loaded on first use. */
  semanticIndex(): Promise<SemanticIndex>;
  facts(anew?: boolean): IndexFacts;
  /** Another number after every change that an answer may tell of. */
  edition(): number;
  /** Documents whose words were not found where they are kept, and are not saved again yet. */
  repaired(): number;
  /** Lets other processes know that there is something new to load. */
  announce(): void;
  /** Notices what another process wrote since; returns whether it wrote. */
  refresh(): boolean;
  /** Unloads the indexes until the next search; does nothing while vectors are loaded. */
  rest(): void;
  close(): Promise<void>;
}

/** Changes the index, on disk and in memory. */
export interface IndexWriter {
  /** Files must all be read again, because they were cut by other rules. */
  fingerprintChanged(): boolean;
  /** Where they need not: collections, folders and documents of which some are still cut by other rules. */
  staleDocuments(): readonly string[];
  /** Saves which documents are stale: those of some collections, folders and paths, or all. */
  noteStaleDocuments(ids: readonly string[] | 'anywhere'): void;
  /** Adds documents that were read together, and their words. */
  put(batch: readonly BatchedDocument[], words: ReadBatch['words']): Promise<void>;
  /** Takes over a new file time; the content is the same. */
  touch(document: DocumentRecord, file: SourceFile): void;
  remove(number: number): void;
  /**
   * Saves the words of what was put or removed, if anything was.
   * @param all whether all words of removed documents go now, also those in large segments. @default false
   */
  flush(all?: boolean): Promise<void>;
  /** Brings what is kept of links and communities up to date with the documents; `keep` if that will be done again soon. */
  settleLinks(keep: boolean): void;
  /** Notes that all files have been read, or those in `scope`. */
  finishReading(skipped: readonly SkippedFile[], scope?: PathScope): void;
  /** Notes which model the vectors are made with from now on. */
  noteModel(identity: string): void;
  putVectors(model: string, vectors: readonly KeyedVector[]): void;
  /** Brings the words that queries are expanded from up to date, where they are. */
  updateVocabulary(signal?: AbortSignal): Promise<void>;
  /**
   * Takes the words of removed documents from the vocabulary and their text from the log of changes.
   * @returns false when others read the log just now, so that the next call has to
   */
  clearRemains(): Promise<boolean>;
  /** Makes the words of all documents again from their stored text; `flush` saves them. */
  readAgain(): Promise<void>;
  /** Drops the vectors and words that no document needs, all of them; returns how many vectors. */
  forgetUnused(): number;
}

export interface IndexSearcher {
  services(mode: SearchMode): Promise<{ readonly services: SearchServices; readonly problem?: string }>;
}

/** The view for reading documents: the store may answer asynchronously. */
export type ReadableWorkspace = Omit<Workspace, 'store'> & { readonly store: PassageReader };

export interface Workspace extends WorkspaceParts, IndexLifecycle, IndexWriter, IndexSearcher {}
