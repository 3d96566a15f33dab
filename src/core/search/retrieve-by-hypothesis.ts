/** Stage: ranks chunks by their likeness to a hypothesis, a text written as the answer might read (HyDE). */
import { retrievalDepth } from './retrieval-depth.ts';
import type { SearchServices, SearchState } from './state.ts';

/** The only lane: under convex fusion evidence, and so confidence, is the cosine alone; under `rrf` the rank. */
const WEIGHTS = { fusion: { semantic: 1 }, evidence: { semantic: 1 } };

/**
 * Embeds the hypothesis as the passages were embedded, without instruction and without expansion.
 * @see Gao, Ma, Lin and Callan 2023, "Precise Zero-Shot Dense Retrieval without Relevance Labels"
 */
export async function retrieveByHypothesis(
  state: SearchState,
  { embedPassage, semantic }: SearchServices,
): Promise<SearchState> {
  const { query, hypothesis = '', settings, topN } = state.request;
  if (hypothesis.trim() === '' || !embedPassage || !semantic) return state;
  const depth = retrievalDepth(settings, topN);
  const vector = await embedPassage(hypothesis);
  const ranking = await semantic.search({ parsed: query, vector }, depth, state.mask);
  return { ...state, vector, weights: WEIGHTS, rankings: [ranking] };
}
