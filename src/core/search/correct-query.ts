/** Stage: lets other spellings count: words that occur nowhere as those they are spelled like, neighbours written together. */
import { correctSpelling } from '../query/correct-spelling.ts';
import { joinWords } from '../query/join-words.ts';
import type { SearchServices, SearchState } from './state.ts';

/** For rankings by words, by code and by meaning; what the type of the query is read off stays as typed. */
export function correctQuery(state: SearchState, { keyword, lexicon }: SearchServices): SearchState {
  const { request } = state;
  if (!request.settings.spellingEnabled) return state;
  const { query: corrected, corrections } = correctSpelling(request.query, {
    countOf: keyword.countOf,
    nearWords: keyword.nearWords,
    isWord: (word) => lexicon?.knows(word) ?? false,
  });
  const query = joinWords(corrected, keyword.countOf);
  const read = corrections.length > 0 ? { corrections } : {};
  return query === request.query ? state : { ...state, request: { ...request, query }, ...read };
}
