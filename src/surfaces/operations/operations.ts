/** The table of operations: everything a user can ask for, read by every surface. */
import { ask } from './ask.ts';
import { audit } from './audit.ts';
import { configInit, configSchema, configSettings } from './config.ts';
import { doctor } from './doctor.ts';
import { evaluate } from './evaluate.ts';
import { exportSite } from './export.ts';
import { listFormats } from './formats.ts';
import { indexFiles } from './index-files.ts';
import { listIndexes, removeIndex } from './indexes.ts';
import { installMcp } from './install-mcp.ts';
import { judge, listJudged } from './judge.ts';
import { documentMap, linkGraph, listCollections, listDocuments, listTags } from './list.ts';
import { listModels, locateModel, pullModel, removeModel } from './models.ts';
import { readDocument } from './read-document.ts';
import { relatedDocuments } from './related-documents.ts';
import { search, searchWithHypothesis } from './search.ts';
import { searchEverywhere } from './search-everywhere.ts';
import { addSite, listSites, removeSite } from './sites.ts';
import { status } from './status.ts';
import { tune } from './tune.ts';

/** In the order in which help and documentation show them. */
export const operations = [
  search,
  searchWithHypothesis,
  searchEverywhere,
  ask,
  indexFiles,
  readDocument,
  relatedDocuments,
  listDocuments,
  listTags,
  listCollections,
  linkGraph,
  documentMap,
  exportSite,
  status,
  audit,
  doctor,
  listFormats,
  configSettings,
  configSchema,
  configInit,
  judge,
  listJudged,
  evaluate,
  tune,
  listIndexes,
  removeIndex,
  addSite,
  listSites,
  removeSite,
  listModels,
  pullModel,
  removeModel,
  locateModel,
  installMcp,
] as const;

/** Help of words that only group commands, such as `models` in `models list`. */
export const commandGroups: Readonly<Record<string, string>> = {
  models: 'Keep models from the hub on this machine',
  mcp: 'Serve an assistant over MCP',
};

/** An operation of the table. Its `name` determines its types. */
export type AnyOperation = (typeof operations)[number];
export type Named<Name extends AnyOperation['name']> = Extract<AnyOperation, { readonly name: Name }>;
