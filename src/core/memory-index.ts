/** An index in memory, for hosts without files. It is searched by the same stages as an index on disk. */
import { embeddingText } from './chunk/embedding-text.ts';
import { createMemoryParts, splitDocument } from './memory-parts.ts';
import type { Hit } from './model/hit.ts';
import { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from './model/search-settings.ts';
import type { Clock, Embedder } from './ports.ts';
import { parseQuery } from './query/parse.ts';
import { createEmbeddedRetrieval } from './retrieval/embedded-retrieval.ts';
import { keepPassageFacts } from './search/keep-passage-facts.ts';
import { runPipeline, stagesFor } from './search/stages.ts';
import { initialState, type SearchRequest, type SearchServices } from './search/state.ts';

export interface MemoryIndexOptions {
  /** Clock for the dates and ages of documents, and for the durations of stages. */
  readonly clock: Clock;
  /** Makes unit vectors of queries and passages. Without it, there is no semantic search. */
  readonly embedder?: Pick<Embedder, 'dimensions' | 'embedQuery' | 'embedPassages'>;
}

export interface MemoryDocument {
  /** Path with `/`. Files are read as Markdown, whatever the extension. */
  readonly path: string;
  readonly text: string;
  /** @default 'documents' */
  readonly collection?: string;
  /** Milliseconds since 1970; used if the front matter has no date. @default now */
  readonly modified?: number;
}

/** Options of one search; `settings` override the default settings. */
export type MemorySearchOptions = Partial<
  Pick<SearchRequest, 'mode' | 'topN' | 'filters' | 'minConfidence' | 'parents' | 'explain'>
> & { readonly settings?: Partial<SearchSettings>; readonly signal?: AbortSignal };

export interface MemoryIndex {
  /** Adds documents. A document with the same collection and path is replaced. */
  add(documents: readonly MemoryDocument[], signal?: AbortSignal): Promise<void>;
  /** Removes a document. @param id `<collection>/<path>` */
  remove(id: string): void;
  /** Returns the hits, best first. */
  search(query: string, options?: MemorySearchOptions): Promise<readonly Hit[]>;
}

export function createMemoryIndex({ clock, embedder }: MemoryIndexOptions): MemoryIndex {
  const { parts, add, remove } = createMemoryParts(embedder?.dimensions);
  const retrieval = createEmbeddedRetrieval(parts);
  const services: SearchServices = {
    retrieval,
    passageFacts: keepPassageFacts(retrieval),
    ...(embedder && {
      embedQuery: embedder.embedQuery,
      embedPassage: async (text: string) => (await embedder.embedPassages([text]))[0]!,
    }),
  };

  return {
    async add(documents, signal) {
      for (const { path, text, collection = 'documents', modified = clock.now() } of documents) {
        signal?.throwIfAborted();
        const split = splitDocument(collection, path, text);
        const vectors = (await embedder?.embedPassages(split.chunks.map(embeddingText), signal)) ?? [];
        add(split, vectors, modified);
      }
    },
    remove,
    async search(query, { settings: set, signal, ...options } = {}) {
      const settings = { ...DEFAULT_SEARCH_SETTINGS, ...set };
      const request: SearchRequest = {
        query: parseQuery(query),
        mode: 'hybrid',
        topN: settings.topN,
        filters: {},
        minConfidence: settings.minConfidence,
        parents: true,
        explain: false,
        ...options,
        settings,
        now: clock.now(),
      };
      return (await runPipeline(stagesFor(request), initialState(request), services, clock, signal)).hits;
    },
  };
}
