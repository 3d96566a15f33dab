/** Stages that analyse the query: its type, other forms of its words, and additional words. */
import { withFollowers } from '../lanes/lane-table.ts';
import type { Explanation } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import { classify, isQuestion } from '../query/classify.ts';
import { correctSpelling } from '../query/correct-spelling.ts';
import { addAccentForms, expandAcronyms, joinWords, splitWords } from '../query/name-forms.ts';
import { addSynonyms } from '../query/synonyms.ts';
import { type KnownWords, stopWordTest } from '../query/terms.ts';
import { AUTO_ANALYZER, chooseAnalyzers } from '../text/analyzer.ts';
import type { SearchServices, SearchState } from './state.ts';

/** Classifies the query. Its type changes weights only with `adaptive_weights_enabled`. */
export function classifyQuery(state: SearchState): SearchState {
  const { query, settings } = state.request;
  const { type, reason } = classify(query.text);
  const laneFactors = settings.adaptiveWeightsEnabled ? withFollowers(state.constants.types[type]) : {};
  return { ...state, queryType: type, queryTypeReason: reason, laneFactors };
}

/**
 * Adds other forms of words: accents, split or joined names, acronyms, compounds. Changes the keyword rankings only; the embedded
 * text and the query type use the words as typed.
 */
export function addForms(state: SearchState, services: SearchServices): SearchState {
  const { query, settings } = state.request;
  const { all } = services.analyzers ?? chooseAnalyzers();
  const known = knownWords(query, services);
  if (!known) return state;
  // English stemming, which `auto` uses, ignores accents, so words with other accents match already.
  const typed = all.every(({ language }) => language === AUTO_ANALYZER.language)
    ? query
    : addAccentForms(query, (word) => known.nearWords(word, 0).map(({ term }) => term));
  if (!settings.nameFormsEnabled) return withQuery(state, typed);
  const split = splitWords(typed, known, all);
  // Do not join words of a question: `how do I link one note to another` is not about OneNote, but `one note` may be.
  const joined = isQuestion(query.text) ? split : joinWords(split, known.countOf, all);
  const named = expandAcronyms(joined, known, all);
  return withQuery(state, services.expandCompounds?.(named, known, all) ?? named);
}

/**
 * Replaces words that occur nowhere by similarly spelled words. Changes the keyword, code and semantic rankings; the
 * query type uses the words as typed.
 */
export function correctQuery(state: SearchState, services: SearchServices): SearchState {
  const known = knownWords(state.request.query, services);
  if (!state.request.settings.spellingEnabled || !known) return state;
  const { query, corrections } = correctSpelling(state.request.query, known);
  return { ...withQuery(state, query), corrections };
}

function knownWords(
  { plain }: ParsedQuery,
  { retrieval: { words }, lexicon, analyzers = chooseAnalyzers() }: SearchServices,
): KnownWords | undefined {
  const isWord = (word: string) => lexicon?.knows(word) ?? true;
  return words && { ...words, isWord, isStopWord: stopWordTest(plain, analyzers.all) };
}

/** Maximum number of words added to the text that is embedded. */
const MAX_WORDS = 3;

/**
 * Adds the closest words of the collection to the text that is embedded, and computes the vector of the query. Changes only
 * semantic search: the words of the query stay.
 */
export async function expandQuery(
  state: SearchState,
  { vocabulary, embedQuery, analyzers = chooseAnalyzers() }: SearchServices,
): Promise<SearchState> {
  const { query, mode, settings } = state.request;
  const usesVector = query.plain !== '' && (mode === 'hybrid' || mode === 'semantic');
  if (!settings.queryExpansionEnabled || !usesVector || !vocabulary || !embedQuery) return state;
  if (query.terms.length > settings.queryExpansionMaxTerms) return state;
  const vector = await embedQuery(query.plain);
  const terms = new Set<string>();
  for (const { tokenize } of analyzers.all) tokenize(query.plain, (term) => void terms.add(term));
  const expansion = await vocabulary.nearest(vector, MAX_WORDS, settings.queryExpansionThreshold, terms);
  if (expansion.length === 0) return { ...state, vector };
  const text = [query.plain, ...expansion.map(({ word }) => word)].join(' ');
  return { ...state, vector: await embedQuery(text), expansion };
}

/** Explains a cosine, with the words that were added to the query or replaced in it. */
export function explainCosine(
  cosine: number,
  { expansion, corrections }: Pick<SearchState, 'expansion' | 'corrections'>,
): Explanation {
  const parts = [
    ...corrections.map(({ typed, read }) => ({ label: `${typed} read as ${read}`, value: 1 })),
    ...expansion.map(({ word, similarity }) => ({ label: `with the word ${word}`, value: similarity })),
  ];
  return { label: 'cosine', value: cosine, ...(parts.length > 0 && { parts }) };
}

/** Adds synonyms with a low weight. Changes the keyword rankings only: the embedded text, phrases and filters stay. */
export function findSynonyms(state: SearchState, { thesaurus, analyzers }: SearchServices): SearchState {
  const { query, settings } = state.request;
  const { synonymsEnabled, synonymWeight } = settings;
  if (!synonymsEnabled || !thesaurus || synonymWeight === 0) return state;
  return withQuery(state, addSynonyms(query, thesaurus.synonyms, synonymWeight, analyzers?.all));
}

function withQuery(state: SearchState, query: ParsedQuery): SearchState {
  return { ...state, request: { ...state.request, query } };
}
