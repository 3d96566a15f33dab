/** Stage: lets other spellings count: other accents, words that occur nowhere as those they are spelled like, words written apart and together, and short names. */
import type { ParsedQuery } from '../model/query.ts';
import { correctSpelling } from '../query/correct-spelling.ts';
import { expandAcronyms } from '../query/expand-acronyms.ts';
import { findForms } from '../query/find-forms.ts';
import { joinWords } from '../query/join-words.ts';
import { splitWords } from '../query/split-words.ts';
import { stopWordTest } from '../query/terms.ts';
import { AUTO_ANALYZER, chooseAnalyzers } from '../text/analyzer.ts';
import type { SearchServices, SearchState } from './state.ts';

/** For rankings by words, by code and by meaning; what the type of the query is read off stays as typed. */
export function correctQuery(state: SearchState, services: SearchServices): SearchState {
  const { request } = state;
  const typed = withForms(request.query, services);
  if (!request.settings.spellingEnabled) return withQuery(state, typed);
  const { keyword, lexicon, analyzers = chooseAnalyzers() } = services;
  const isStopWord = stopWordTest(typed.plain, analyzers.all);
  const isWord = (word: string) => lexicon?.knows(word) ?? true;
  const { acronyms, countOf, countOfPhrase, nearWords } = keyword;
  const split = splitWords(typed, { countOf, countOfPhrase, isStopWord }, analyzers.all);
  const { query: corrected, corrections } = correctSpelling(split, {
    countOf,
    nearWords,
    isWord,
    isStopWord,
  });
  const joined = joinWords(corrected, countOf, analyzers.all);
  const query = expandAcronyms(joined, { ...acronyms, isWord }, analyzers.all);
  const read = corrections.length > 0 ? { corrections } : {};
  return { ...withQuery(state, query), ...read };
}

/** English stems, which `auto` has, go by words without accents. */
function withForms(query: ParsedQuery, { keyword, analyzers }: SearchServices): ParsedQuery {
  if (analyzers === undefined || analyzers.all.every((analyzer) => analyzer === AUTO_ANALYZER)) return query;
  return findForms(query, (word) => keyword.nearWords(word, 0).map(({ term }) => term));
}

function withQuery(state: SearchState, query: ParsedQuery): SearchState {
  return query === state.request.query ? state : { ...state, request: { ...state.request, query } };
}
