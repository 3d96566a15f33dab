/** Stage: lets words count that are written otherwise: with other accents, apart, together, and in short. */
import type { ParsedQuery } from '../model/query.ts';
import { isQuestion } from '../query/classify.ts';
import { expandAcronyms } from '../query/expand-acronyms.ts';
import { findForms } from '../query/find-forms.ts';
import { joinWords } from '../query/join-words.ts';
import { splitWords } from '../query/split-words.ts';
import { stopWordTest } from '../query/terms.ts';
import { AUTO_ANALYZER, chooseAnalyzers } from '../text/analyzer.ts';
import { type SearchServices, type SearchState, withQuery } from './state.ts';

/** For rankings by words and by code; what is embedded, and what the type of the query is read off, stays as typed. */
export function addForms(state: SearchState, services: SearchServices): SearchState {
  const { query, settings } = state.request;
  const typed = withAccents(query, services);
  if (!settings.nameFormsEnabled) return withQuery(state, typed);
  const { keyword, lexicon, analyzers = chooseAnalyzers() } = services;
  const isStopWord = stopWordTest(typed.plain, analyzers.all);
  const isWord = (word: string) => lexicon?.knows(word) ?? true;
  const { acronyms, countOf, countOfPhrase } = keyword;
  const split = splitWords(typed, { countOf, countOfPhrase, isStopWord }, analyzers.all);
  // Whoever asks how to link one note to another does not ask for OneNote; whoever types `one note` may.
  const joined = isQuestion(query.text) ? split : joinWords(split, countOf, analyzers.all);
  return withQuery(state, expandAcronyms(joined, { ...acronyms, isWord }, analyzers.all));
}

/** English stems, which `auto` has, go by words without accents. */
function withAccents(query: ParsedQuery, { keyword, analyzers }: SearchServices): ParsedQuery {
  if (analyzers === undefined || analyzers.all.every((analyzer) => analyzer === AUTO_ANALYZER)) return query;
  return findForms(query, (word) => keyword.nearWords(word, 0).map(({ term }) => term));
}
