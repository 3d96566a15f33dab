/** The table of operations: everything a user can ask for, read by every surface. */
import { evaluate } from './evaluate.ts';
import { indexFiles } from './index-files.ts';
import { linkGraph } from './link-graph.ts';
import { listCollections } from './list-collections.ts';
import { listDocuments } from './list-documents.ts';
import { listTags } from './list-tags.ts';
import { readDocument } from './read-document.ts';
import { relatedDocuments } from './related-documents.ts';
import { search } from './search.ts';
import { searchWithHypothesis } from './search-with-hypothesis.ts';
import { status } from './status.ts';

/** In the order in which help and documentation show them. */
export const operations = [
  search,
  searchWithHypothesis,
  indexFiles,
  readDocument,
  relatedDocuments,
  listDocuments,
  listTags,
  listCollections,
  linkGraph,
  status,
  evaluate,
] as const;

/** One of them, with its types told apart by `name`. */
export type AnyOperation = (typeof operations)[number];
