/** Stage: lets words that occur nowhere count as those they are spelled like. */
import { correctSpelling } from '../query/correct-spelling.ts';
import { stopWordTest } from '../query/terms.ts';
import { chooseAnalyzers } from '../text/analyzer.ts';
import { type SearchServices, type SearchState, withQuery } from './state.ts';

/** For rankings by words, by code and by meaning; what the type of the query is read off stays as typed. */
export function correctQuery(state: SearchState, services: SearchServices): SearchState {
  const { query: typed, settings } = state.request;
  const { lexicon, analyzers = chooseAnalyzers() } = services;
  const { words } = services.retrieval;
  if (!settings.spellingEnabled || !words) return state;
  const isStopWord = stopWordTest(typed.plain, analyzers.all);
  const isWord = (word: string) => lexicon?.knows(word) ?? true;
  const { query, corrections } = correctSpelling(typed, { ...words, isWord, isStopWord });
  return { ...withQuery(state, query), ...(corrections.length > 0 && { corrections }) };
}
