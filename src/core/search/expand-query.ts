/** Stage: adds to the text that is embedded the words of the collection that lie nearest to the query. */
import type { Explanation } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import { type Analyzers, chooseAnalyzers } from '../text/analyzer.ts';
import type { SearchServices, SearchState } from './state.ts';

/** How many words are added at most. */
const MAX_WORDS = 3;

/** For semantic search only: the words asked for stay what they are. Sets the vector of the query. */
export async function expandQuery(
  state: SearchState,
  { vocabulary, embedQuery, analyzers = chooseAnalyzers() }: SearchServices,
): Promise<SearchState> {
  const { query, mode, settings } = state.request;
  const usesVector = query.plain !== '' && (mode === 'hybrid' || mode === 'semantic');
  if (!settings.queryExpansionEnabled || !usesVector || !vocabulary || !embedQuery) return state;
  if (query.terms.length > settings.queryExpansionMaxTerms) return state;
  const vector = await embedQuery(query.plain);
  const minimum = settings.queryExpansionThreshold;
  const expansion = await vocabulary.nearest(vector, MAX_WORDS, minimum, termsOf(query, analyzers));
  if (expansion.length === 0) return { ...state, vector };
  const text = [query.plain, ...expansion.map(({ word }) => word)].join(' ');
  return { ...state, vector: await embedQuery(text), expansion };
}

/** Explains a cosine by the words that were added to the query or replaced in it. */
export function explainCosine(
  cosine: number,
  { expansion = [], corrections = [] }: Pick<SearchState, 'expansion' | 'corrections'>,
): Explanation {
  const parts = [
    ...corrections.map(({ typed, read }) => ({ label: `${typed} read as ${read}`, value: 1 })),
    ...expansion.map(({ word, similarity }) => ({ label: `with the word ${word}`, value: similarity })),
  ];
  return { label: 'cosine', value: cosine, ...(parts.length > 0 && { parts }) };
}

function termsOf({ plain }: ParsedQuery, { all }: Analyzers): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const { tokenize } of all) tokenize(plain, (term) => void terms.add(term));
  return terms;
}
