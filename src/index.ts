/** The library: open an index, bring it up to date, search it. */

export { DocfuseError, type ErrorCode } from './core/errors.ts';
export type { CompressionStats, ConfidenceWord, Explanation, Hit, Snippet } from './core/model/hit.ts';
export type { QueryType, SearchMode } from './core/model/query.ts';
export type { Lane } from './core/model/ranking-constants.ts';
export type {
  Check,
  CommunityFacts,
  DocumentChange,
  ExportOptions,
  ExportProgress,
  ExportReport,
  HypothesisOptions,
  Index,
  IndexFacts,
  OpenOptions,
  SearchOptions,
  SearchResult,
  SettingsOverride,
  SkippedFile,
  Status,
  SyncOptions,
  SyncProgress,
  SyncReport,
  UnresolvedLinks,
  Watching,
  WatchOptions,
} from './engine/api.ts';
export type { PresetName } from './engine/config/presets.ts';
export type {
  AuditOptions,
  BrokenLink,
  CollectionFacts,
  CopiedDocument,
  DocumentAudit,
  DocumentFacts,
  DocumentGraph,
  DocumentList,
  DocumentMap,
  DocumentName,
  DocumentSizes,
  DocumentText,
  GraphOptions,
  LinkDirection,
  LinkedDocument,
  ListOptions,
  MapOptions,
  NamingOptions,
  ReadOptions,
  RelatedDocuments,
  RelatedOptions,
  SimilarPassage,
  Stoppable,
  TagCount,
  TagOptions,
} from './engine/documents/documents-api.ts';
export type { Filters, FilterTime } from './engine/filters.ts';
export { open } from './engine/open.ts';
export type { PurgeReport } from './engine/sync/sync-api.ts';
