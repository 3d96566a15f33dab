/** Stage: lets other spellings of a word count: other accents, apart, together, abbreviated. */
import type { ParsedQuery } from '../model/query.ts';
import { isQuestion } from '../query/classify.ts';
import { expandAcronyms } from '../query/expand-acronyms.ts';
import { findForms } from '../query/find-forms.ts';
import { joinWords } from '../query/join-words.ts';
import { splitWords } from '../query/split-words.ts';
import { stopWordTest } from '../query/terms.ts';
import type { CollectionWords } from '../retrieval/retrieval.ts';
import { type Analyzers, AUTO_ANALYZER, chooseAnalyzers } from '../text/analyzer.ts';
import { type SearchServices, type SearchState, withQuery } from './state.ts';

/** For rankings by words and by code; what is embedded, and what the type of the query is read off, stays as typed. */
export function addForms(state: SearchState, services: SearchServices): SearchState {
  const { query, settings } = state.request;
  const { lexicon, analyzers = chooseAnalyzers() } = services;
  const { words } = services.retrieval;
  if (!words) return state;
  const typed = withAccents(query, analyzers, words);
  if (!settings.nameFormsEnabled) return withQuery(state, typed);
  const isStopWord = stopWordTest(typed.plain, analyzers.all);
  const isWord = (word: string) => lexicon?.knows(word) ?? true;
  const split = splitWords(typed, { ...words, isStopWord }, analyzers.all);
  // A question how to link one note to another is not about OneNote; the query `one note` may be.
  const joined = isQuestion(query.text) ? split : joinWords(split, words.countOf, analyzers.all);
  return withQuery(state, expandAcronyms(joined, { ...words, isWord }, analyzers.all));
}

/** English stems, which `auto` uses, ignore accents. */
function withAccents(query: ParsedQuery, { all }: Analyzers, { nearWords }: CollectionWords): ParsedQuery {
  if (all.every((analyzer) => analyzer === AUTO_ANALYZER)) return query;
  return findForms(query, (word) => nearWords(word, 0).map(({ term }) => term));
}
