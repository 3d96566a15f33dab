/** Stage: lets words of equal meaning count a little in the rankings by words. */
import { addSynonyms } from '../query/synonyms.ts';
import type { SearchServices, SearchState } from './state.ts';

/** For the rankings by words only: the text that is embedded, phrases and filters stay as they are. */
export function findSynonyms(state: SearchState, { thesaurus, analyzers }: SearchServices): SearchState {
  const { request } = state;
  const { synonymsEnabled, synonymWeight } = request.settings;
  if (!synonymsEnabled || !thesaurus || synonymWeight === 0) return state;
  const query = addSynonyms(request.query, thesaurus.synonyms, synonymWeight, analyzers?.all);
  return { ...state, request: { ...request, query } };
}
