/** The one sentence with an answer that the reader must know. */
import type { Catalog } from '../core/indexes/catalog.ts';
import type { SearchMode } from '../core/model/query.ts';
import type { Correction } from '../core/query/correct-spelling.ts';
import { describeFilters, type NamedFilter } from '../core/query/describe-filters.ts';
import { documentFilter, languageFilter } from '../core/query/filter.ts';
import { isListing } from '../core/search/list-documents.ts';
import { snippetMaker } from '../core/search/show-snippet.ts';
import type { Candidate, SearchRequest, SearchServices, SearchState } from '../core/search/state.ts';
import type { IndexFacts } from './api.ts';

/** The most important one. */
export function noticeFor(
  state: SearchState,
  services: SearchServices,
  index: IndexFacts,
): string | undefined {
  const { catalog, concepts } = services;
  const { mode, query, settings } = state.request;
  if (index.documents === 0) {
    return index.updated ? 'The index holds no documents.' : 'There is no index yet; docfuse index makes it.';
  }
  if (state.mask?.every((allowed) => allowed === 0)) return nothingPasses(state.request, catalog);
  if (isListing(state.request)) return undefined;
  if (state.request.hypothesis === undefined && query.plain === '') {
    return 'The query holds no words to search for.';
  }
  if (mode === 'semantic' && index.embedded === 0)
    return 'No passage has a vector yet; docfuse index makes them.';
  if (usesVectors(mode) && index.embedded < index.chunks) {
    return `${index.embedded} of ${index.chunks} passages have vectors so far; the others are found by words only.`;
  }
  if (state.hits.length === 0 && state.nearest) {
    const read = state.corrections ? ` ${whatWasRead(state.corrections)}` : '';
    return `${nothingAnswers(state, state.nearest, services)}${read}`;
  }
  if (state.relaxed) {
    const phrases = query.phrases.map((phrase) => `"${phrase.text}"`).join(', ');
    return `No passage holds ${phrases}; its words were searched instead.`;
  }
  if (state.corrections) return whatWasRead(state.corrections);
  if (settings.queryExpansionEnabled && usesVectors(mode) && concepts?.words === 0) {
    return 'No words of the collection are kept yet to expand the query from; docfuse index gathers them.';
  }
  return undefined;
}

/** Where to look all the same: the best of what was not sure enough. */
function nothingAnswers(
  state: SearchState,
  nearest: Candidate,
  { catalog, readChunks }: SearchServices,
): string {
  const path = catalog.document(nearest.document)?.path ?? '';
  const [chunk] = readChunks([nearest.slot]);
  // The line a hit would be printed with.
  const place =
    chunk === undefined ? path : `${path}:${snippetMaker(state)(nearest, chunk).snippet.startLine}`;
  // Rounded down: what is not enough must not read as if it were.
  const own = (Math.floor(nearest.score * 100) / 100).toFixed(2);
  const least = state.request.minConfidence;
  return `Nothing here answers this; nearest: ${place}, at ${own}, below the ${least} asked for (a minimum confidence of 0 shows all).`;
}

function whatWasRead(corrections: readonly Correction[]): string {
  const typed = new Set(corrections.map((each) => each.typed));
  const read = corrections.map((each) => `“${each.typed}” as “${each.read}”`).join(', ');
  return `Read ${read}, for no passage holds ${typed.size === 1 ? 'it' : 'them'}.`;
}

/** Names the filters that let nothing through by themselves, else all that do not go together. */
function nothingPasses({ filters, query }: SearchRequest, catalog: Catalog): string {
  const named = [...describeFilters(filters), ...describeFilters(query.filters)];
  const empty = named.filter(({ filter }) => isEmpty(filter, catalog));
  if (empty.length > 0) return `No document passes the filter ${listed(empty)}.`;
  if (named.length > 0 && isEmpty(filters, catalog, query.filters)) {
    return `No document passes all the filters ${listed(named)}.`;
  }
  if (query.required.length > 0) {
    const titles = query.required.map(({ surface }) => `title:${surface}`).join(', ');
    return `No document${named.length > 0 ? ' that passes the filters' : ''} has ${titles}.`;
  }
  return 'Every passage holds a word that the query excludes.';
}

/** Whether no passage is left when all of these hold. */
function isEmpty(
  filters: NamedFilter['filter'],
  catalog: Catalog,
  more: NamedFilter['filter'] = {},
): boolean {
  const tests = [documentFilter(filters), documentFilter(more)].filter((test) => test !== undefined);
  const languages = [languageFilter(filters), languageFilter(more)].filter((test) => test !== undefined);
  const mask = catalog.mask(
    (document) => tests.every((test) => test(document)),
    (names) => languages.every((test) => test(names)),
  );
  return mask?.every((allowed) => allowed === 0) ?? false;
}

function listed(filters: readonly NamedFilter[]): string {
  return filters.map(({ name }) => name).join(', ');
}

function usesVectors(mode: SearchMode): boolean {
  return mode === 'hybrid' || mode === 'semantic';
}
