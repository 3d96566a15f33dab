/** The part of the library without files, for browsers and other hosts: parsing, chunking, indexing and ranking. */
export { type ChunkingSettings, chunkDocument, DEFAULT_CHUNKING } from './chunk/chunk-document.ts';
export { DocfuseError, type ErrorCode } from './errors.ts';
export { createCatalog } from './indexes/catalog.ts';
export { createCodeRetriever } from './indexes/code.ts';
export { createDocumentIndex } from './indexes/documents.ts';
export { createKeywordRetriever } from './indexes/keyword.ts';
export { createSemanticRetriever } from './indexes/semantic.ts';
export { parseDocument } from './markdown/parse-document.ts';
export {
  createMemoryIndex,
  type MemoryDocument,
  type MemoryIndex,
  type MemoryIndexOptions,
  type MemorySearchOptions,
} from './memory-index.ts';
export type { CatalogDocument } from './model/document.ts';
export type { Hit } from './model/hit.ts';
export type { Filters, SearchMode } from './model/query.ts';
export { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from './model/search-settings.ts';
export type { Clock } from './ports.ts';
export { parseQuery } from './query/parse.ts';
export { createEmbeddedRetrieval, type EmbeddedParts } from './retrieval/embedded-retrieval.ts';
export type { Retrieval, RetrievalRequest } from './retrieval/retrieval.ts';
export { keepPassageFacts } from './search/keep-passage-facts.ts';
export { runSearch } from './search/run-search.ts';
export { runPipeline, STAGES } from './search/stages.ts';
export { initialState, type SearchRequest, type SearchServices } from './search/state.ts';
