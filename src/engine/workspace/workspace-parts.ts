/** The parts of a workspace: settings, collections, and the adapters behind the ports. */
import type { ChunkingSettings } from '../../core/chunk/chunk-document.ts';
import type { RankingConstants } from '../../core/model/ranking-constants.ts';
import type { ModelStamps } from '../../core/model/saved-state.ts';
import type {
  Clock,
  Embedder,
  LanguageDetector,
  Lexicon,
  NewDocument,
  Reranker,
  Source,
  StoredFile,
  Thesaurus,
} from '../../core/ports.ts';
import type { ReadBatch, TextToRead } from '../../core/read-batch.ts';
import type { Store } from '../../core/storage.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import type { LanguageCode } from '../../core/text/languages.ts';

export interface OpenCollection {
  readonly name: string;
  /** The documents of a `git` collection are commits, not files. */
  readonly kind: 'folder' | 'corpus' | 'git';
  /** Absolute. */
  readonly root: string;
  readonly source: Source;
  readonly language: LanguageCode;
}

/** The part of a collection that tells where its documents are. */
export type CollectionRoot = Pick<OpenCollection, 'name' | 'kind' | 'root'>;

export interface NamedModel {
  /** Name of the model in the settings. It identifies the model until the model is opened. */
  readonly name: string;
  /** @param stamps the saved ones: a local model whose stamp is among them is not hashed */
  readonly open: (stamps?: ModelStamps) => Promise<Embedder>;
}

export interface WorkspaceParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly collections: readonly OpenCollection[];
  readonly analyzers: Analyzers;
  /** How words are scored. @default `RANKING.words` */
  readonly words?: RankingConstants['words'];
  readonly chunking: ChunkingSettings;
  readonly model: NamedModel;
  /** A second model, for documents and questions that are not in English. */
  readonly multilingual?: NamedModel | undefined;
  /** Whether `docfuse index` may recommend another model. It does so once. */
  readonly advisesModel: boolean;
  /** Opens a model that the settings named before; undefined if the name is not enough to open it. */
  readonly openFormer: (name: string) => NamedModel['open'] | undefined;
  /** Returns undefined if the package of the detector is not installed. */
  readonly openDetector: () => Promise<LanguageDetector | undefined>;
  /** Loads its model at the first use. */
  readonly reranker: Reranker;
  /** Whether to keep a vocabulary for query expansion. */
  readonly expandQueries: boolean;
  /** Knows correctly spelled words, also words that are in no document. */
  readonly lexicon: Lexicon;
  /** Absent if synonyms are switched off. */
  readonly openThesaurus?: () => Thesaurus;
  /** @param bytes total size of the files to read */
  readonly openReader: (bytes: number, signal?: AbortSignal) => BatchReader;
}

export interface BatchReader {
  /** Number of batches to read at the same time; with fewer, some threads wait. */
  readonly width: number;
  /**
   * May be called again while earlier calls run.
   * @throws an error if a thread ends or a text cannot be read. If the signal given to `openReader` is aborted, throws its reason.
   */
  read(texts: readonly TextToRead[]): Promise<ReadBatch>;
  /** Returns why reading is slower than usual; undefined if it is not. */
  readonly problem?: () => string | undefined;
  /** Ends reading; unfinished calls of `read` may reject. */
  close(): Promise<void>;
}

export interface BatchedDocument {
  readonly document: NewDocument;
  /** The stored document that `document` replaces. */
  readonly replaced: Pick<StoredFile, 'number'> | undefined;
}
