/** Writes the notice of an answer: one sentence that the reader must know, such as why nothing was found. */
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { CollectionWords, Filters, Phrase, PhraseTerms, SearchMode } from '../../core/model/query.ts';
import { isQuestion } from '../../core/query/classify.ts';
import type { Correction } from '../../core/query/correct-spelling.ts';
import { describeFilters, MAX_ALTERNATIVES, type NamedFilter } from '../../core/query/describe-filters.ts';
import { documentFilter, languageFilter } from '../../core/query/filter.ts';
import { exclusionOf, QUERY_FIELDS, wordsReadAsFlags } from '../../core/query/syntax.ts';
import { isListing } from '../../core/search/retrieve.ts';
import type { SearchRequest, SearchServices, SearchState } from '../../core/search/state.ts';
import { clip } from '../../core/text/boundaries.ts';
import { plural, shownScore } from '../../core/text/format-numbers.ts';
import { isIndexed } from '../../core/text/words.ts';
import type { IndexFacts } from '../api.ts';
import { nearest, oneOf } from '../nearest.ts';

/**
 * Returns the most important notice; undefined if there is nothing to tell.
 * @param catalog facts about all documents; given only if no passage passes the filters and exclusions
 */
export function noticeFor(
  state: SearchState,
  { vocabulary, retrieval: { words } }: Pick<SearchServices, 'vocabulary' | 'retrieval'>,
  catalog: Catalog | undefined,
  index: IndexFacts,
): string | undefined {
  const { mode, query, settings } = state.request;
  const { corrections } = state;
  if (index.documents === 0) return emptyIndex(index);
  if (!index.updated) {
    return `The index has ${plural(index.documents, 'document')} so far. Indexing is still running, or was stopped; docfuse index completes it.`;
  }
  if (catalog) return nothingPasses(state.request, catalog);
  if (isListing(state.request)) return undefined;
  if ((state.request.hypothesis ?? query.plain).trim() === '') {
    return 'The query holds no words to search for.';
  }
  if (mode === 'semantic' && index.embedded === 0) return 'No passage has a vector yet; run docfuse index.';
  const misread = notSyntax(query.text);
  const ofWords = [
    misread,
    corrections.length > 0 ? whatWasRead(corrections) : undefined,
    withoutSingles(query.phrases),
    readAsFlags(state),
    state.found.relaxed ? phraseWasRelaxed(state.request, words) : undefined,
    notExcluded(query.text) ?? wordsNotFound(state, words),
  ]
    .filter(Boolean)
    .join(' ');
  if (usesVectors(mode) && index.stale) {
    const of = index.models?.find(({ model }) => model === index.model)?.of ?? index.chunks;
    const [embedded, chunks] = [index.embedded, of].map((each) => each.toLocaleString('en'));
    const others = mode === 'semantic' ? 'cannot be found by meaning yet' : 'are found by words only';
    return `${embedded} of ${chunks} passages have vectors so far; the others ${others}. ${ofWords}`.trimEnd();
  }
  if (misread) return ofWords;
  if (state.hits.length === 0 && state.unsure.length > 0) {
    return `${nothingAnswers(state)} ${ofWords}`.trimEnd();
  }
  if (ofWords !== '') return ofWords;
  if (state.hits.length === 0)
    return mode === 'code'
      ? 'No code matches the query. Mode code searches code blocks alone; hybrid searches all text.'
      : 'No passage matches the query.';
  if (settings.queryExpansionEnabled && usesVectors(mode) && vocabulary?.words === 0) {
    return 'The query was not expanded, because the index has no vocabulary yet; docfuse index makes it.';
  }
  return undefined;
}

/** Says which phrases no passage holds. If filters or exclusions apply, says so: other passages may hold the phrase. */
function phraseWasRelaxed({ query, filters }: SearchState['request'], known?: CollectionWords): string {
  const isUnknown = (terms: PhraseTerms) => terms.some(({ term }) => known?.countOf(term) === 0);
  const unknown = query.phrases.filter(({ terms, others = [] }) => [terms, ...others].every(isUnknown));
  const phrases = unknown.length > 0 ? unknown : query.phrases;
  const { required, excludedTerms, excludedPhrases } = query;
  const others = required.length + excludedTerms.length + excludedPhrases.length;
  const isNarrowed = others + describeFilters(filters).length + describeFilters(query.filters).length > 0;
  const passage = isNarrowed ? 'No passage that passes the filters and exclusions' : 'No passage';
  const quoted = phrases.map(({ text }) => `"${text}"`).join(unknown.length > 0 ? ' or ' : ' and ');
  const words = query.phrases.length > 1 ? 'the words of all phrases' : 'its words';
  return `${passage} holds ${quoted}${phrases.length > 1 && unknown.length === 0 ? ' together' : ''}; ${words} were searched instead.`;
}

/** A consonant that is a word: a single vowel is a stop word in many languages. */
const SINGLE = /(?<![\p{L}\p{N}\p{M}])[b-df-hj-np-tv-xz](?![\p{L}\p{N}\p{M}])/giu;

/** Says which words of one letter the phrases were searched without, because they are not in the index. */
function withoutSingles(phrases: readonly Phrase[]): string | undefined {
  const typed = phrases.flatMap(({ text }) => text.match(SINGLE) ?? []);
  const missing = [...new Set(typed)].filter((each) => !isIndexed(each.toLowerCase()));
  if (missing.length === 0) return undefined;
  const named = missing.slice(0, MAX_NAMED).map((each) => `“${each}”`);
  return `Most words of one letter are not in the index, so the phrase was searched without ${oneOf(named)}.`;
}

/** Says that all passages are unsure, and gives the best score. */
function nothingAnswers({ request: { minConfidence, minDocuments }, unsure }: SearchState): string {
  const needed = `below the ${minConfidence} ${minDocuments ? 'needed' : 'asked for'}`;
  return `Nothing here surely answers this: the best passage has confidence ${shownScore(unsure[0]!.score)}, ${needed}.`;
}

function whatWasRead(corrections: readonly Correction[]): string {
  const typed = new Set(corrections.map((each) => `“${each.typed}”`));
  const read = corrections.map((each) => `“${each.typed}” is read as “${each.read}”`).join(', ');
  return `${read}, because no passage contains ${oneOf([...typed])}.`;
}

/** Max number of words that a notice names. */
const MAX_NAMED = 3;
/** Max characters of a word that a notice names. */
const MAX_WORD = 60;
const WORD = /^\p{L}{3,}$/u;
/** A number, a name in code or a version: `404`, `E0308`, `get_user`, `getUser`, `std::vector`, `v2.7`. */
const EXACT = /^(?=.{3})(?=.*(?:\p{N}|_|\p{Ll}\p{Lu}|\p{L}[.:]+\p{L}))[\p{L}\p{N}_.:-]+$/u;

/** Says which words of the query occur in no passage, in any form or spelling; undefined if all occur. */
function wordsNotFound(
  { request: { query, mode }, found, corrections, hits, unsureHits }: SearchState,
  words: CollectionWords | undefined,
): string | undefined {
  if (!words) return undefined;
  const quoted = found.relaxed ? query.phrases.map(({ text }) => text) : [];
  const said = new Set([...corrections.map(({ typed }) => typed), ...quoted]);
  const joined = new Set(query.terms.flatMap(({ standsFor = [] }) => standsFor));
  const paths = [...hits, ...unsureHits].map(({ path }) => path.toLowerCase());
  // A hit with high confidence may lack a common word. Then only missing numbers and names are reported.
  const kinds = hits[0]?.confidence === 'high' ? [EXACT] : [WORD, EXACT];
  const unknown = query.terms.filter(
    ({ term, forms = [], surface, prefix, field, standsFor, variants }) =>
      !(prefix || field || standsFor || variants || said.has(surface) || joined.has(term)) &&
      kinds.some((kind) => kind.test(surface)) &&
      [term, ...forms].every((form) => words.countOf(form) === 0) &&
      !paths.some((path) => path.includes(term)),
  );
  const missing = unknown.map(({ surface }) => surface);
  const whole = missing.filter((part) => !missing.some((name) => name !== part && name.includes(part)));
  if (whole.length === 0) return undefined;
  const named = whole
    .slice(0, MAX_NAMED)
    .map((surface) => `“${surface.length > MAX_WORD ? `${clip(surface, MAX_WORD)}…` : surface}”`);
  const others = whole.length - named.length;
  const rest = others === 0 ? [] : [`${others} other ${others === 1 ? 'word' : 'words'} of the query`];
  // Words two slips away: those at one slip are corrections.
  const areSpelt = mode !== 'semantic' && unknown.every(({ spellings }) => spellings);
  const spelt = areSpelt ? '; words spelt alike were searched for' : '';
  return `No passage contains ${oneOf([...named, ...rest])}${spelt}.`;
}

/** Says that a minus before a short word without vowels does not exclude it, unless the first hit has the word as a flag. */
function readAsFlags({ request: { query }, hits }: SearchState): string | undefined {
  const [flag] = wordsReadAsFlags(unquoted(query.text));
  if (flag === undefined || hits[0]?.text.includes(`-${flag}`)) return undefined;
  return `-${flag} is read as a flag of a command; to exclude the word, write ${exclusionOf(flag)}.`;
}

/** In a query of a few words, says how to exclude the word after “without”, “except” or “other than”: these do not exclude it. */
function notExcluded(text: string): string | undefined {
  if (isQuestion(text) || text.trim().split(/\s+/).length > 4) return undefined;
  const [said, word] =
    /\b(?:without|except|other than) (?:(?:an?|the|for|using) )*(\p{L}[\p{L}\p{N}]+)/iu.exec(
      unquoted(text),
    ) ?? [];
  return word && `“${said}” does not exclude “${word}”; write ${exclusionOf(word)} to exclude it.`;
}

/** Explains syntax of other search engines that docfuse reads as words; undefined if the query has none. */
function notSyntax(text: string): string | undefined {
  const words = unquoted(text);
  const operator = / (OR|AND|NOT) \S/.exec(words)?.[1];
  if (operator === 'NOT') return 'NOT is read as a word; to exclude a word, write a minus before that word.';
  if (operator !== undefined)
    return `${operator} is read as a word. A passage need not contain every word; passages with more of the words come first.`;
  const [, typed = ''] = /(?:^| )-?(\p{L}+):\S/u.exec(words) ?? [];
  if (/^(?:after|before|date|since|until)$/i.test(typed))
    return `${typed}: was searched for as a word. Give the date as a filter beside the query.`;
  const [meant] = typed.length > 2 ? nearest(typed, QUERY_FIELDS) : [];
  return meant && `There is no filter ${typed}:, so it was searched for as a word. Did you mean ${meant}:?`;
}

function unquoted(text: string): string {
  return text.replace(/"[^"]*"/g, ' ');
}

/** Seconds without a change after which a search warns about a replica. */
const LATE = 60;

/** Says that a replica of a server may lack newer text; undefined if its newest change is recent. */
export function lateReplica({
  behindSeconds: behind = 0,
}: Pick<IndexFacts, 'behindSeconds'>): string | undefined {
  if (behind < LATE) return undefined;
  const minutes = Math.floor(behind / LATE);
  const age = minutes === 1 ? 'a minute' : `${minutes.toLocaleString('en')} minutes`;
  return `The replica that answers shows the state of ${age} ago: newer text may be missing.`;
}

function usesVectors(mode: SearchMode): boolean {
  return mode === 'hybrid' || mode === 'semantic';
}

/** Says which files are read, for users whose files are not found. */
export const FILES_READ =
  'docfuse formats lists the kinds of files that are read; to read others, set include in docfuse.toml.';

/** Explains why an index has no documents. */
export function emptyIndex({ updated }: Pick<IndexFacts, 'updated'>): string {
  if (updated === undefined) return 'There is no index yet; docfuse index makes it.';
  return `The index holds no documents; ${FILES_READ}`;
}

/** Says why no passage passes: filters without a document, all filters together, `title:` words, or exclusions. */
export function nothingPasses(
  { filters, query }: Pick<SearchRequest, 'filters' | 'query'>,
  catalog: Catalog,
): string {
  const named = [...describeFilters(filters), ...describeFilters(query.filters)];
  const empty = named.filter(({ filter }) => isEmpty([filter], catalog));
  if (empty.length > 0) {
    return `No document passes the filter ${empty.map((each) => withNearest(each, catalog)).join(', ')}.`;
  }
  if (named.length > 0 && isEmpty([filters, query.filters], catalog)) {
    return `No document passes all the filters ${named.map(({ name }) => name).join(', ')}.`;
  }
  if (query.required.length > 0) {
    const titles = query.required.map(({ surface }) => `title:${surface}`).join(', ');
    const isExcluded = query.excludedTerms.length + query.excludedPhrases.length > 0;
    return `No document${named.length > 0 ? ' that passes the filters' : ''} has ${titles}${isExcluded ? ' and passes the exclusions' : ''}.`;
  }
  return 'Every passage holds a word that the query excludes.';
}

/** Whether no passage passes all these filters. */
function isEmpty(filters: readonly Filters[], catalog: Catalog): boolean {
  const mask = catalog.mask(filters.map(documentFilter), filters.map(languageFilter));
  return mask?.every((allowed) => allowed === 0) ?? false;
}

function withNearest({ name, filter }: NamedFilter, catalog: Catalog): string {
  const meant = NAMED_KEYS.flatMap((key) => {
    const typed = (filter[key] ?? []).slice(0, MAX_ALTERNATIVES);
    if (typed.length === 0) return [];
    const known = new Set(valuesOf(key, catalog));
    const values = typed.flatMap((value) =>
      key === 'path' ? nearestPath(value, known) : nearest(value.replace(/^#/, ''), known),
    );
    return describeFilters({ [key]: [...new Set(values)] }).map((each) => each.name);
  });
  return meant.length === 0 ? name : `${name} (nearest: ${meant.join(', ')})`;
}

/** Filters whose values occur in the documents, so that the nearest value can be suggested. */
const NAMED_KEYS = ['collection', 'path', 'tag', 'category', 'author', 'lang'] as const;

function valuesOf(key: (typeof NAMED_KEYS)[number], catalog: Catalog): readonly string[] {
  if (key === 'lang') return [...catalog.languages()];
  return [...catalog.all()].flatMap((document) => {
    // The filter `a` finds the tag `a/b`. Several authors are stored as one text with commas.
    if (key === 'tag') return document.tags.flatMap((tag) => [tag, ...foldersOf(tag)]);
    if (key === 'author') return document.author?.split(',').map((name) => name.trim()) ?? [];
    if (key === 'path') return [...foldersOf(document.path), document.path];
    return document[key] ?? [];
  });
}

/** Returns one known path: the shortest that ends with `wrong`, else the nearest by edit distance. Empty if none is near. */
function nearestPath(wrong: string, known: ReadonlySet<string>): string[] {
  const path = wrong.replace(/^(?:\.?\/)+|\/+$/g, '');
  const deeper = [...known].filter((each) => each.endsWith(`/${path}`)).sort((a, b) => a.length - b.length);
  return deeper.length > 0 ? deeper.slice(0, 1) : nearest(path, known);
}

/** `a/b/c` → `a`, `a/b` */
function foldersOf(tag: string): readonly string[] {
  const parts = tag.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
