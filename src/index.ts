/** The library: open an index, bring it up to date, search it. */

export { DocfuseError, type ErrorCode } from './core/errors.ts';
export type { CompressionStats, Explanation, Hit, Snippet } from './core/model/hit.ts';
export type { Filters, SearchMode } from './core/model/query.ts';
export type {
  Check,
  HypothesisOptions,
  Index,
  IndexFacts,
  NearestPassage,
  OpenOptions,
  SearchOptions,
  SearchResult,
  SettingsOverride,
  Status,
  SyncOptions,
  SyncProgress,
  SyncReport,
  Watching,
  WatchOptions,
} from './engine/api.ts';
export type {
  CollectionFacts,
  DocumentFacts,
  DocumentGraph,
  DocumentList,
  DocumentName,
  DocumentText,
  GraphOptions,
  LinkDirection,
  LinkedDocument,
  ListOptions,
  ReadOptions,
  RelatedDocuments,
  RelatedOptions,
  TagCount,
} from './engine/documents-api.ts';
export { open } from './engine/open.ts';
