/** An index in memory, for hosts without files. It is searched by the same stages as an index on disk. */
import { checkAdd, checkIndexOptions, checkRemove, checkSearch } from './check-memory-call.ts';
import { chunkDocument, DEFAULT_CHUNKING } from './chunk/chunk-document.ts';
import { chunkHead, embeddingText } from './chunk/chunk-head.ts';
import { DocfuseError } from './errors.ts';
import { createLiveLinks } from './graph/live-links.ts';
import { catalogDocument, createCatalog } from './indexes/catalog.ts';
import { createCodeRetriever } from './indexes/code.ts';
import { createDocumentIndex } from './indexes/documents.ts';
import { createKeywordRetriever } from './indexes/keyword.ts';
import { checkVectors } from './indexes/packed-vector.ts';
import { createSemanticRetriever } from './indexes/semantic.ts';
import { parseDocument } from './markdown/parse-document.ts';
import type { Parent } from './model/chunk.ts';
import { defined } from './model/defined.ts';
import { documentNames } from './model/document.ts';
import type { Hit } from './model/hit.ts';
import { RANKING } from './model/ranking-constants.ts';
import { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from './model/search-settings.ts';
import type { ChunkRecord, Clock, Embedder } from './ports.ts';
import { codeQueryTerms } from './query/code.ts';
import { parseQuery } from './query/parse.ts';
import { createEmbeddedRetrieval, type EmbeddedParts } from './retrieval/embedded-retrieval.ts';
import { keepPassageFacts } from './search/keep-passage-facts.ts';
import { runSearch } from './search/run-search.ts';
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
  /** Name without `/`. @default 'documents' */
  readonly collection?: string;
  /** Milliseconds since 1970; used if the front matter has no date. @default now */
  readonly modified?: number;
}

export type MemorySearchOptions = Partial<
  Pick<SearchRequest, 'mode' | 'topN' | 'filters' | 'minConfidence' | 'parents' | 'explain'>
> & { readonly settings?: Partial<SearchSettings>; readonly signal?: AbortSignal };

export interface MemoryIndex {
  /**
   * Adds all documents once all are embedded, or none if it fails or is aborted. A document with the same collection and path is
   * replaced. Of overlapping calls, the one made last decides about a document. @throws DocfuseError `usage`
   */
  add(documents: readonly MemoryDocument[], signal?: AbortSignal): Promise<void>;
  /** Removes a document, if it is there. @param id `<collection>/<path>` @throws DocfuseError `usage` */
  remove(id: string): void;
  /** Returns the hits, best first. @throws DocfuseError `usage` for an option of a wrong value */
  search(query: string, options?: MemorySearchOptions): Promise<readonly Hit[]>;
}

/** @throws DocfuseError `usage` for options of a wrong value */
export function createMemoryIndex(options: MemoryIndexOptions): MemoryIndex {
  checkIndexOptions(options);
  const { clock, embedder } = options;
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

  /** For each `add` that runs, in the order of the calls: the documents that later calls changed. */
  const changedSince = new Set<Set<string>>();
  function noteChange(id: string, own?: Set<string>): void {
    for (const newer of changedSince) {
      if (newer === own) return;
      newer.add(id);
    }
  }

  return {
    async add(documents, signal) {
      checkAdd(documents, signal);
      const newer = new Set<string>();
      changedSince.add(newer);
      try {
        const made: Parameters<typeof add>[] = [];
        for (const { path, text, collection = 'documents', modified = clock.now() } of documents) {
          signal?.throwIfAborted();
          const split = splitDocument(collection, path, text);
          const vectors = (await embedder?.embedPassages(split.chunks.map(embeddingText), signal)) ?? [];
          if (embedder) checkVectors(vectors, split.chunks.length, embedder.dimensions);
          made.push([split, vectors, modified]);
        }
        signal?.throwIfAborted();
        for (const [split, vectors, modified] of made) {
          if (newer.has(split.id)) continue;
          noteChange(split.id, newer);
          add(split, vectors, modified);
        }
      } finally {
        changedSince.delete(newer);
      }
    },
    remove(id) {
      checkRemove(id);
      noteChange(id);
      remove(id);
    },
    async search(query, asked = {}) {
      checkSearch(query, asked);
      const { settings: set, signal, ...rest } = asked;
      if (rest.mode === 'semantic' && !embedder)
        throw new DocfuseError(
          'usage',
          'search(): mode is semantic, but the index has no embedder.',
          'Give an embedder to createMemoryIndex, or use the mode keyword.',
        );
      const settings = { ...DEFAULT_SEARCH_SETTINGS, ...defined(set) };
      const request: SearchRequest = {
        query: parseQuery(query),
        mode: 'hybrid',
        topN: settings.topN,
        filters: {},
        minConfidence: settings.minConfidence,
        parents: true,
        explain: false,
        ...defined(rest),
        settings,
        now: clock.now(),
      };
      return (await runSearch(initialState(request), services, clock, signal)).hits;
    },
  };
}

/** Parses and splits a document, before it is added to an index. */
export function splitDocument(collection: string, path: string, text: string) {
  const id = `${collection}/${path}`;
  const parsed = parseDocument(path, text);
  return { id, collection, parsed, ...chunkDocument(id, parsed, DEFAULT_CHUNKING) };
}

/**
 * Makes the parts of an index: word, vector and link indexes, with the chunks that a store would keep on disk.
 * @param dimensions length of the vectors; undefined without semantic search
 * @param constants ranking constants, for trials. @default `RANKING`
 */
export function createMemoryParts(dimensions: number | undefined, { words } = RANKING) {
  const { fields: weights, names: namesWeight, k1, b } = words;
  const catalog = createCatalog();
  const { idOf } = catalog;
  const keyword = createKeywordRetriever({ idOf, weights, k1, b });
  const code = createCodeRetriever({ idOf, queryTerms: codeQueryTerms, k1, b });
  const documents = createDocumentIndex({ namesWeight, k1, b });
  const links = createLiveLinks();
  const records = new Map<number, ChunkRecord>();
  const parents = new Map<string, Parent>();
  const semantic = dimensions === undefined ? undefined : createSemanticRetriever({ dimensions, idOf });
  const retrievers = [keyword, code, ...(semantic ? [semantic] : [])];
  let nextSlot = 0;
  let nextDocument = 0;

  function remove(id: string): void {
    const number = catalog.numberOf(id);
    if (number === undefined) return;
    const slots = catalog.slotsOf(number);
    for (const slot of slots) {
      const parent = records.get(slot)?.parentId;
      if (parent !== undefined) parents.delete(parent);
      records.delete(slot);
    }
    for (const retriever of retrievers) retriever.remove(slots);
    documents.remove([number]);
    links.remove(number);
    catalog.removeDocument(number);
  }

  const readChunks = (slots: readonly number[]) => slots.flatMap((slot) => records.get(slot) ?? []);
  const parts: EmbeddedParts & { readonly links: typeof links.graph } = {
    catalog,
    keyword,
    code,
    documents,
    readChunks,
    vectorOf: (slot) => semantic?.vectorOf(slot),
    ...(semantic && { semantic }),
    readTexts: (slots) => readChunks(slots).map(({ text, overlap }) => text.slice(overlap)),
    readParents: (ids) => ids.flatMap((id) => parents.get(id) ?? []),
    links: links.graph,
  };
  return {
    parts,
    /**
     * Adds a document. A document with the same id is replaced.
     * @param made one unit vector per chunk; empty without semantic search
     * @param modified file time in milliseconds since 1970, used if the front matter has no date
     */
    add(document: ReturnType<typeof splitDocument>, made: readonly Float32Array[], modified: number): void {
      const { id, collection, parsed, chunks, parents: sections } = document;
      remove(id);
      const number = nextDocument++;
      const entries = chunks.map((chunk, index) => {
        const slot = nextSlot++;
        const vector = made[index];
        records.set(slot, { ...chunk, slot, document: number });
        return { slot, chunk, document: parsed, ...(vector && { vector }) };
      });
      for (const section of sections) parents.set(section.id, section);
      catalog.addDocument(
        catalogDocument({ ...parsed, number, id, collection, modified }),
        entries.map(({ slot, chunk }) => chunkHead(slot, chunk)),
      );
      links.put({ ...parsed, number, collection }, parsed.links);
      documents.add([{ number, names: documentNames(parsed), text: parsed.text }]);
      for (const retriever of retrievers) retriever.add(entries);
    },
    remove,
  };
}
