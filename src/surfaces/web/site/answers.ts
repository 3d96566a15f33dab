/** Answers the requests of the page from the files of an export. */
import { DocfuseError } from '../../../core/errors.ts';
import {
  type DocumentLinks,
  LINKED_EACH,
  linksFile,
  MAP_FILE,
  TAGS_FILE,
} from '../../../core/fragments/export-format.ts';
import { toCatalogDocument } from '../../../core/fragments/text-fragment.ts';
import { documentFilter } from '../../../core/query/filter.ts';
import type { DocumentMap, LinkedDocument } from '../../../engine/documents/documents-api.ts';
import { applyFilters } from '../../../engine/filters.ts';
import { noticeFor } from '../../../engine/search/notice.ts';
import { statsOf, weightsOf } from '../../../engine/search/state-facts.ts';
import { fromWire, toWire } from '../../operations/wire.ts';
import type { AnswerTo, InputTo, Told } from '../session.ts';
import type { SiteData } from './site-data.ts';
import { documentFacts, find, idOf } from './site-documents.ts';

const MIN_DOCUMENTS = 3;
const NO_PHRASES = 'This page searches words in quotes one by one.';

/** An export has no index of code, so its passages have no languages. */
const NO_LANGUAGES = 'This page does not know the languages of code.';

const MISSING: Told = {
  code: 'away',
  detail: 'A file of this page could not be loaded.',
  remedy: 'Check the connection and try again.',
};

/** Describes an error. Errors other than `DocfuseError` come from files that could not be loaded. */
export function problemOf(error: unknown): Told {
  if (!(error instanceof DocfuseError)) return MISSING;
  return { code: error.code, detail: error.message, remedy: error.remedy };
}

export async function search(
  { index, start }: SiteData,
  input: InputTo<'/api/search'>,
  signal?: AbortSignal,
): Promise<AnswerTo<'/api/search'>> {
  const began = performance.now();
  const { state, services } = await index.search(
    input.query,
    {
      ...(input.top_n && { topN: input.top_n }),
      ...(input.mode && input.mode !== 'code' && { mode: input.mode }),
      filters: filtersOf(input),
      explain: input.explain ?? false,
      minDocuments: MIN_DOCUMENTS,
    },
    signal,
  );
  const facts = {
    documents: start.documents,
    chunks: start.passages,
    embedded: start.passages,
    model: start.meaning?.model ?? '',
    stale: false,
    ...(start.updated && { updated: start.updated }),
  };
  const { query, filters } = state.request;
  const catalog = state.found.passing === 0 ? await index.catalog() : undefined;
  const isByLanguage = [filters, query.filters].some((each) => each.lang?.length);
  const isByPhrase = query.phrases.length + query.excludedPhrases.length > 0;
  const unknown = isByLanguage ? NO_LANGUAGES : isByPhrase ? NO_PHRASES : undefined;
  const notice = unknown ?? noticeFor(state, services, catalog, facts);
  return toWire({
    query: input.query,
    mode: state.request.mode,
    ...(state.trace.some(({ stage }) => stage === 'classify') && { queryType: state.queryType }),
    weights: weightsOf(state),
    hits: state.hits,
    unsure: state.unsureHits,
    stats: statsOf(state),
    timingsMs: { total: performance.now() - began },
    index: facts,
    ...(notice && { notice }),
  });
}

export async function list(
  data: SiteData,
  input: InputTo<'/api/documents'>,
): Promise<AnswerTo<'/api/documents'>> {
  const { sort = 'path', limit = 50, cursor = '0' } = input;
  const from = Number(cursor);
  const accepts = documentFilter(filtersOf(input));
  const passing = accepts && (await data.list(sort)).filter((each) => accepts(toCatalogDocument(each)));
  // Without filters, only the files of this part of the list are loaded.
  const shown = passing?.slice(from, from + limit) ?? (await data.list(sort, from, from + limit));
  const total = passing?.length ?? data.start.documents;
  return {
    documents: shown.map(documentFacts),
    total,
    ...(from + limit < total && { next_cursor: String(from + limit) }),
    ...(total === 0 && { notice: 'No document passes the filters.' }),
  };
}

export async function tags({ json }: SiteData): Promise<AnswerTo<'/api/tags'>> {
  return { tags: await json(TAGS_FILE) };
}

export async function collections({ start }: SiteData): Promise<AnswerTo<'/api/collections'>> {
  return { collections: start.collections.map((each) => ({ ...each, root: '' })) };
}

export async function related(
  data: SiteData,
  input: InputTo<'/api/related'>,
): Promise<AnswerTo<'/api/related'>> {
  const document = await find(data, input.document.replace(/:\d+-\d+$/, '')); // without line numbers, such as `:12-40`
  const { number } = document;
  const file = linksFile(Math.floor(number / LINKED_EACH));
  const links = await data.json<readonly DocumentLinks<LinkedDocument>[]>(file);
  const { count, linked } = links[number % LINKED_EACH]!;
  return { document: documentFacts(document), linked: toWire(linked), linked_count: count, similar: [] };
}

/** Narrows the map of all documents to those that pass the filters. */
export async function map(data: SiteData, input: InputTo<'/api/map'>): Promise<AnswerTo<'/api/map'>> {
  const whole = await data.json<DocumentMap>(MAP_FILE);
  const accepts = documentFilter(filtersOf(input));
  if (!accepts) return toWire(whole);
  const passing = (await data.list('path')).filter((each) => accepts(toCatalogDocument(each)));
  const ids = new Set(passing.map(idOf));
  const { documents, links } = whole;
  const shown = [...documents.ids.keys()].filter((at) => ids.has(documents.ids[at]!));
  const placeOf = new Map(shown.map((at, place) => [at, place]));
  const pairs = [...links.sources.keys()].filter(
    (pair) => placeOf.has(links.sources[pair]!) && placeOf.has(links.targets[pair]!),
  );
  const kept = <T>(column: readonly T[]) => shown.map((at) => column[at]!);
  const joined = (ends: readonly number[]) => pairs.map((pair) => placeOf.get(ends[pair]!)!);
  const linked = passing.filter(({ linksOut, linksIn }) => linksOut + linksIn > 0).length;
  return toWire({
    ...whole,
    documents: {
      ids: kept(documents.ids),
      titles: kept(documents.titles),
      neighbours: kept(documents.neighbours),
      communities: kept(documents.communities),
      x: kept(documents.x),
      y: kept(documents.y),
    },
    links: { sources: joined(links.sources), targets: joined(links.targets) },
    total: linked,
    unlinked: passing.length - linked,
  });
}

function filtersOf({ filters = {} }: Pick<InputTo<'/api/search'>, 'filters'>) {
  return applyFilters(fromWire(filters), Date.now());
}
