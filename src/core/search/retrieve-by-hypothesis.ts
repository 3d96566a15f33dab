/** Stage: ranks chunks by their likeness to a hypothesis, a text written as the answer might read (HyDE). */
import { requestOf } from './retrieve.ts';
import type { SearchServices, SearchState } from './state.ts';

/** The only lane: under convex fusion evidence, and so confidence, is the cosine alone; under `rrf` the rank. */
const WEIGHTS = { fusion: { semantic: 1 }, evidence: { semantic: 1 } };

/**
 * Embeds the hypothesis as the passages were embedded, without instruction and without expansion.
 * @see Gao, Ma, Lin and Callan 2023, "Precise Zero-Shot Dense Retrieval without Relevance Labels"
 */
export async function retrieveByHypothesis(
  state: SearchState,
  { embedPassage, retrieval }: SearchServices,
): Promise<SearchState> {
  const { hypothesis = '' } = state.request;
  if (hypothesis.trim() === '' || !embedPassage) return state;
  const vector = await embedPassage(hypothesis);
  const asked = requestOf(state, WEIGHTS, vector);
  return { ...state, vector, weights: WEIGHTS, asked, found: await retrieval.retrieve(asked) };
}
