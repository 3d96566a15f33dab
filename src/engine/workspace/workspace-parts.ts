/** What a workspace is composed of: settings, collections, and the adapters behind the ports. */
import type { ChunkingSettings } from '../../core/chunk/chunk-document.ts';
import type { WordScoring } from '../../core/model/ranking-constants.ts';
import type {
  Clock,
  DocumentRecord,
  Embedder,
  Lexicon,
  NewDocument,
  Reranker,
  Source,
  Thesaurus,
  VectorScan,
} from '../../core/ports.ts';
import type { ReadBatch, TextToRead } from '../../core/read-batch.ts';
import type { Store } from '../../core/storage.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';

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
  /** Words that are spelled right although no document has them. */
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
  /** Rejects what is not read yet. */
  close(): Promise<void>;
}

export interface BatchedDocument {
  readonly document: NewDocument;
  /** The document it replaces. */
  readonly replaced: DocumentRecord | undefined;
}
