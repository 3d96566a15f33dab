/** Stage: lets a cross-encoder reorder the first few candidates. */
import { embeddingText } from '../chunk/embedding-text.ts';
import type { Explanation } from '../model/hit.ts';
import { RELEVANCE_SHARE, type Reranked, rerank } from '../rank/rerank.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/**
 * Reorders the first `rerankTopN`, however many hits were asked for, so that a longer answer begins like a shorter one.
 * The confidences stay at their places and the candidates change them: no cross-encoder at hand has been calibrated, and
 * a candidate it puts above a surer one is at least as good.
 */
export async function rerankCandidates(
  state: SearchState,
  { retrieval, rerank: score }: SearchServices,
  signal?: AbortSignal,
): Promise<SearchState> {
  const { settings, query, hypothesis, explain } = state.request;
  const asked = query.plain || (hypothesis ?? '');
  const first = state.candidates.slice(0, settings.rerankTopN);
  if (!settings.rerankEnabled || !score || asked === '' || first.length === 0) return state;

  const chunks = await retrieval.chunks(first.map(({ slot }) => slot));
  const passages = chunks.map((chunk) => (chunk ? embeddingText(chunk) : ''));
  const relevances = await score(asked, passages, signal);
  const confidences = first.map((candidate) => candidate.score);
  const order = rerank(confidences, relevances, settings.rerankMode);
  const share = RELEVANCE_SHARE[settings.rerankMode];
  const reordered = order.map((reranked, place): Candidate => {
    const candidate = first[reranked.index]!;
    const placed = { ...candidate, score: confidences[place]! };
    if (!explain) return placed;
    const relevance = relevances[reranked.index] ?? 0;
    const part = explainPlace(placed, reranked, candidate.score, relevance, share);
    return { ...placed, explanation: [part, ...candidate.explanation] };
  });
  return { ...state, candidates: [...reordered, ...state.candidates.slice(first.length)] };
}

/** The confidence of a place, and the sum that won the place: `value = Σ weight · part.value`. */
function explainPlace(
  placed: Candidate,
  { index, value }: Reranked,
  confidence: number,
  relevance: number,
  share: number,
): Explanation {
  const sum = {
    label: 'reranked by',
    value,
    parts: [
      { label: 'relevance by the cross-encoder', value: relevance, weight: share },
      { label: 'own confidence', value: confidence, weight: 1 - share },
    ],
  };
  return {
    label: 'confidence of the place won',
    value: placed.score,
    parts: [sum, { label: 'place before', value: index + 1 }],
  };
}
