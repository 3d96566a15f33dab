/** Lists the documents of an index page by page, its tags, its collections and the graph of its links. */
import { DocfuseError } from '../../core/errors.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import type { Filters } from '../../core/model/query.ts';
import { documentFilter, languageFilter } from '../../core/query/filter.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { compareText } from '../../core/text/compare-text.ts';
import type { Applied } from '../filters.ts';
import { withinCollections } from '../search/absolute-paths.ts';
import { emptyIndex, nothingPasses } from '../search/notice.ts';
import type { ReadableWorkspace } from '../workspace/workspace.ts';
import { bestLinked, documentFacts, documentName } from './document-facts.ts';
import type {
  CollectionFacts,
  DocumentGraph,
  DocumentList,
  GraphOptions,
  ListOptions,
  ListOrder,
  TagCount,
  TagOptions,
} from './documents-api.ts';

/** Default number of documents on a page. */
export const USUAL_LIMIT = 50;

/** Sort keys of documents. Documents with equal keys are sorted by id. */
const ORDERS: { readonly [Order in ListOrder]: (document: CatalogDocument) => string } = {
  path: () => '',
  title: ({ title }) => title.toLowerCase(),
  // The newest date gives the smallest text, because keys are sorted in ascending order.
  date: ({ modified }) => String(Number.MAX_SAFE_INTEGER - Math.round(modified)).padStart(16, '0'),
};

/**
 * Returns one page of documents. The cursor names the last document of the page before: no document is shown twice or missed if
 * others are added or removed between two pages.
 * @throws DocfuseError `usage` for an unknown cursor
 */
export function listDocuments(
  workspace: ReadableWorkspace,
  { filters = {}, sort = 'path', limit = USUAL_LIMIT, cursor, signal }: Applied<ListOptions>,
): DocumentList {
  signal?.throwIfAborted();
  const after = cursor === undefined ? '' : readCursor(cursor, sort);
  const places = placesIn(sort, passingDocuments(workspace, filters));
  const passing = [...places.keys()].sort();
  const rest = passing.filter((place) => place > after);
  const page = rest.slice(0, limit);
  return {
    documents: page.map((place) => documentFacts(workspace, places.get(place)!)),
    total: passing.length,
    ...(page.length < rest.length ? { nextCursor: writeCursor(page.at(-1)!, sort) } : {}),
    ...(passing.length === 0 ? { notice: whyNone(workspace, filters) } : {}),
  };
}

/** Returns documents by their sort keys. `\0` sorts before every character, so ids only decide ties. */
function placesIn(sort: ListOrder, documents: readonly CatalogDocument[]) {
  return new Map(documents.map((document) => [`${ORDERS[sort](document)}\0${document.id}`, document]));
}

export function sortedDocuments(
  documents: readonly CatalogDocument[],
  sort: ListOrder,
): readonly CatalogDocument[] {
  const places = placesIn(sort, documents);
  return [...places.keys()].sort().map((place) => places.get(place)!);
}

function whyNone(workspace: ReadableWorkspace, filters: Filters): string {
  const catalog = workspace.catalog();
  if (catalog.documents === 0) return emptyIndex(workspace.facts());
  const applied = withinCollections(filters, workspace.collections);
  return nothingPasses({ filters: applied, query: parseQuery('') }, catalog);
}

/** Counts the tags of the documents that pass the filters, the most frequent first. */
export function listTags(
  workspace: ReadableWorkspace,
  { filters = {} }: Applied<TagOptions>,
): readonly TagCount[] {
  const all = passingDocuments(workspace, filters).flatMap(({ tags }) => [...new Set(tags)]);
  return [...Map.groupBy(all, (tag) => tag)]
    .map(([tag, { length }]) => ({ tag, documents: length }))
    .sort((a, b) => b.documents - a.documents || (a.tag < b.tag ? -1 : 1));
}

export function listCollections({ collections, catalog }: ReadableWorkspace): readonly CollectionFacts[] {
  const documents = Map.groupBy(catalog().all(), ({ collection }) => collection);
  return collections.map(({ name, root }) => ({ name, root, documents: documents.get(name)?.length ?? 0 }));
}

/** Returns the documents that pass the filters. With a `lang` filter, at least one passage of the document must pass it. */
export function passingDocuments(workspace: ReadableWorkspace, asked: Filters): CatalogDocument[] {
  const catalog = workspace.catalog();
  const filters = withinCollections(asked, workspace.collections);
  const accepts = documentFilter(filters);
  const accepted = [...catalog.all()].filter((document) => accepts?.(document) ?? true);
  const mask = catalog.mask([], [languageFilter(filters)]);
  if (!mask) return accepted;
  return accepted.filter(({ number }) => catalog.slotsOf(number).some((slot) => mask[slot] === 1));
}

/** Encodes a cursor. Its format is private, so that it can change. */
function writeCursor(place: string, sort: ListOrder): string {
  return Buffer.from(`${sort} ${place}`).toString('base64url');
}

function readCursor(cursor: string, sort: ListOrder): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const place = text.slice(sort.length + 1);
  if (text.startsWith(`${sort} `) && writeCursor(place, sort) === cursor) return place;
  throw new DocfuseError(
    'usage',
    'The cursor does not come from a list of documents in this order.',
    'Leave it out to get the first page.',
  );
}

/** Default number of documents in the graph. */
export const USUAL_NODES = 500;

/** Among the documents that pass the filters, returns those with the most linked documents, and the links between them. */
export function documentGraph(
  workspace: ReadableWorkspace,
  { filters = {}, limit = USUAL_NODES, signal }: Applied<GraphOptions>,
): DocumentGraph {
  signal?.throwIfAborted();
  const links = workspace.links();
  const edges = links.edges();
  const passing = bestLinked(passingDocuments(workspace, filters), edges.neighbours);
  const shown = passing.slice(0, limit);
  const ids = new Map(shown.map(({ document }) => [document.number, document.id]));
  return {
    nodes: shown.map(({ document, degree }) => {
      const community = links.communityOf(document.number);
      return {
        ...documentName(document),
        neighbours: degree,
        ...(community === undefined ? {} : { community }),
      };
    }),
    edges: [...ids]
      .flatMap(([number, source]) =>
        [...edges.neighbours(number)].flatMap(([other, weight]) => {
          const target = ids.get(other);
          return target === undefined || target < source ? [] : [{ source, target, weight }];
        }),
      )
      .sort((a, b) => compareText(a.source, b.source) || compareText(a.target, b.target)),
    total: passing.length,
  };
}
