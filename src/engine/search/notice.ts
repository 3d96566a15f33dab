/** The one sentence with an answer that the reader must know. */
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { Correction } from '../../core/query/correct-spelling.ts';
import { describeFilters } from '../../core/query/describe-filters.ts';
import { isListing } from '../../core/search/list-documents.ts';
import type { SearchServices, SearchState } from '../../core/search/state.ts';
import { shownScore } from '../../core/text/shown-score.ts';
import type { SearchResult } from '../api.ts';
import { nearest } from '../nearest.ts';
import { emptyIndex } from './empty-index.ts';
import { nothingPasses } from './nothing-passes.ts';

/** The most important one. */
export function noticeFor(
  state: SearchState,
  { vocabulary }: Pick<SearchServices, 'vocabulary'>,
  catalog: Catalog,
  index: SearchResult['index'],
): string | undefined {
  const { mode, query, settings } = state.request;
  if (index.documents === 0) return emptyIndex(index);
  if (!index.updated) {
    const documents = index.documents.toLocaleString('en');
    return `The index is being made, or a run was stopped: ${documents} documents so far; indexing finishes it.`;
  }
  if (state.found.passing === 0) return nothingPasses(state.request, catalog);
  if (isListing(state.request)) return undefined;
  if (state.request.hypothesis === undefined && query.plain === '') {
    return 'The query holds no words to search for.';
  }
  if (mode === 'semantic' && index.embedded === 0) return 'No passage has a vector yet; indexing makes them.';
  if (usesVectors(mode) && index.embedded < index.chunks) {
    const [embedded, chunks] = [index.embedded, index.chunks].map((each) => each.toLocaleString('en'));
    return `${embedded} of ${chunks} passages have vectors so far; the others are found by words only.`;
  }
  const misread = notSyntax(query.text);
  if (misread) return misread;
  if (state.hits.length === 0 && state.unsure.length > 0) {
    const read = state.corrections ? ` ${whatWasRead(state.corrections)}` : '';
    return `${nothingAnswers(state)}${read}`;
  }
  if (state.found.relaxed) {
    return phraseWasRelaxed(state.request);
  }
  if (state.corrections) return whatWasRead(state.corrections);
  if (state.hits.length === 0) return 'No passage matches the query.';
  if (settings.queryExpansionEnabled && usesVectors(mode) && vocabulary?.words === 0) {
    return 'No words of the collection are kept yet to expand the query from; indexing gathers them.';
  }
  return undefined;
}

/** Other passages may well hold it. */
function phraseWasRelaxed({ query, filters }: SearchState['request']): string {
  const { phrases, required, excludedTerms, excludedPhrases } = query;
  const others = required.length + excludedTerms.length + excludedPhrases.length;
  const isNarrowed = others + describeFilters(filters).length + describeFilters(query.filters).length > 0;
  const passage = isNarrowed ? 'No passage that filters and exclusions let through' : 'No passage';
  const quoted = phrases.map(({ text }) => `"${text}"`).join(' and ');
  return phrases.length > 1
    ? `${passage} holds ${quoted} together; words of them were searched instead.`
    : `${passage} holds ${quoted}; its words were searched instead.`;
}

/** Tells the score of the passage that stands first among the unsure ones. */
function nothingAnswers({ request: { minConfidence, minDocuments }, unsure }: SearchState): string {
  const needed = `below the ${minConfidence} ${minDocuments ? 'needed' : 'asked for'}`;
  return `Nothing here surely answers this: the best passage has ${shownScore(unsure[0]!.score)}, ${needed}.`;
}

function whatWasRead(corrections: readonly Correction[]): string {
  const typed = new Set(corrections.map((each) => each.typed));
  const read = corrections.map((each) => `“${each.typed}” as “${each.read}”`).join(', ');
  return `Read ${read}, for no passage holds ${typed.size === 1 ? 'it' : 'them'}.`;
}

const FILTERS = ['title', 'tag', 'path', 'author', 'category', 'lang'];

/** What looks like syntax of another search engine and is read as words. */
function notSyntax(text: string): string | undefined {
  const unquoted = text.replace(/"[^"]*"/g, ' ');
  const operator = / (OR|AND|NOT) \S/.exec(unquoted)?.[1];
  if (operator === 'NOT') return 'NOT is read as a word; a minus before a word leaves it out.';
  if (operator !== undefined)
    return `${operator} is read as a word: a passage need not hold every word, and one that holds more of them comes first.`;
  const [, typed = ''] = /(?:^| )-?(\p{L}+):\S/u.exec(unquoted) ?? [];
  const [meant] = typed.length > 2 ? nearest(typed, FILTERS) : [];
  return meant && `There is no filter ${typed}:, so it was searched for as a word. Did you mean ${meant}:?`;
}

function usesVectors(mode: SearchMode): boolean {
  return mode === 'hybrid' || mode === 'semantic';
}
