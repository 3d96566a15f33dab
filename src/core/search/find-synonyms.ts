/** Stage: lets words of equal meaning count a little in the rankings by words. */
import { addSynonyms } from '../query/synonyms.ts';
import { type SearchServices, type SearchState, withQuery } from './state.ts';

/** For the rankings by words only: the text that is embedded, phrases and filters stay as they are. */
export function findSynonyms(state: SearchState, { thesaurus, analyzers }: SearchServices): SearchState {
  const { query, settings } = state.request;
  const { synonymsEnabled, synonymWeight } = settings;
  if (!synonymsEnabled || !thesaurus || synonymWeight === 0) return state;
  return withQuery(state, addSynonyms(query, thesaurus.synonyms, synonymWeight, analyzers?.all));
}
