/** An index in memory, for hosts without files. It is searched by the same stages as an index on disk. */
import { chunkDocument, DEFAULT_CHUNKING } from './chunk/chunk-document.ts';
import { chunkHead } from './chunk/chunk-head.ts';
import { embeddingText } from './chunk/embedding-text.ts';
import { createLinkGraph } from './graph/link-graph.ts';
import { createCatalog } from './indexes/catalog.ts';
import { createCodeRetriever } from './indexes/code.ts';
import { createDocumentIndex } from './indexes/documents.ts';
import { createKeywordRetriever } from './indexes/keyword.ts';
import { createPlainScan } from './indexes/plain-scan.ts';
import { createSemanticRetriever } from './indexes/semantic.ts';
import { parseDocument } from './markdown/parse-document.ts';
import type { Parent } from './model/chunk.ts';
import { documentNames } from './model/document.ts';
import type { Hit } from './model/hit.ts';
import { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from './model/search-settings.ts';
import type { ChunkRecord, Clock, Embedder } from './ports.ts';
import { codeQueryTerms } from './query/code.ts';
import { parseQuery } from './query/parse.ts';
import { createEmbeddedRetrieval } from './retrieval/embedded-retrieval.ts';
import { keepPassageFacts } from './search/keep-passage-facts.ts';
import { runPipeline, stagesFor } from './search/stages.ts';
import { initialState, type SearchRequest, type SearchServices } from './search/state.ts';
import { documentTime } from './text/dates.ts';

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
  const catalog = createCatalog();
  const { idOf } = catalog;
  const keyword = createKeywordRetriever({ idOf });
  const code = createCodeRetriever({ idOf, queryTerms: codeQueryTerms });
  const documents = createDocumentIndex();
  const links = createLinkGraph();
  const records = new Map<number, ChunkRecord>();
  const parents = new Map<string, Parent>();
  const vectors = new Map<number, Float32Array>();
  const vectorOf = (slot: number) => vectors.get(slot);
  const semantic =
    embedder &&
    createSemanticRetriever({ dimensions: embedder.dimensions, scan: createPlainScan(), vectorOf, idOf });
  let nextSlot = 0;
  let nextDocument = 0;

  async function add(document: MemoryDocument, signal: AbortSignal | undefined): Promise<void> {
    const { path, text, collection = 'documents', modified = clock.now() } = document;
    const id = `${collection}/${path}`;
    const parsed = parseDocument(path, text);
    const { chunks, parents: sections } = chunkDocument(id, parsed, DEFAULT_CHUNKING);
    const made = (await embedder?.embedPassages(chunks.map(embeddingText), signal)) ?? [];
    remove(id);
    const number = nextDocument++;
    const entries = chunks.map((chunk, index) => {
      const slot = nextSlot++;
      const vector = made[index];
      records.set(slot, { ...chunk, slot, document: number });
      if (vector) vectors.set(slot, vector);
      return { slot, chunk, document: parsed, ...(vector && { vector }) };
    });
    for (const section of sections) parents.set(section.id, section);
    const time = documentTime(parsed.date, modified);
    catalog.addDocument(
      { ...parsed, number, id, collection, modified: time },
      entries.map(({ slot, chunk }) => chunkHead(slot, chunk)),
    );
    links.put({ ...parsed, number, collection });
    documents.add([{ number, names: documentNames({ ...parsed, path }), text: parsed.text }]);
    for (const retriever of [keyword, code, semantic]) retriever?.add(entries);
  }

  function remove(id: string): void {
    const number = catalog.numberOf(id);
    if (number === undefined) return;
    const slots = catalog.slotsOf(number);
    for (const slot of slots) {
      const parent = records.get(slot)?.parentId;
      if (parent !== undefined) parents.delete(parent);
      records.delete(slot);
      vectors.delete(slot);
    }
    for (const retriever of [keyword, code, semantic]) retriever?.remove(slots);
    documents.remove([number]);
    links.remove(number);
    catalog.removeDocument(number);
  }

  const readChunks = (slots: readonly number[]) => slots.flatMap((slot) => records.get(slot) ?? []);
  const readTexts = (slots: readonly number[]) =>
    readChunks(slots).map(({ text, overlap }) => text.slice(overlap));
  const retrieval = createEmbeddedRetrieval({
    ...{ catalog, keyword, code, documents, readChunks, readTexts, vectorOf },
    ...(semantic && { semantic }),
    links: () => links,
    readParents: (ids) => ids.flatMap((id) => parents.get(id) ?? []),
  });
  const services: SearchServices = {
    retrieval,
    passageFacts: keepPassageFacts(retrieval),
    ...(embedder && {
      embedQuery: embedder.embedQuery,
      embedPassage: async (text: string) => (await embedder.embedPassages([text]))[0]!,
    }),
  };

  return {
    async add(given, signal) {
      for (const document of given) {
        signal?.throwIfAborted();
        await add(document, signal);
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
