/** Stage: lets a cross-encoder reorder the first few candidates. */
import { embeddingText } from '../chunk/chunk-head.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import { changed, type SearchServices, type SearchState } from './state.ts';

/**
 * Reorders the first `rerankTopN` candidates, even if fewer hits are wanted: a short answer is then the start of a long one.
 * Confidences stay at their ranks: a candidate gets the confidence of the rank that it moves to. The scores of a cross-encoder
 * cannot replace them, because they are not calibrated.
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
  if (!relevances) return state;
  const confidences = first.map((candidate) => candidate.score);
  const order = rerank(confidences, relevances, settings.rerankMode);
  const share = RELEVANCE_SHARE[settings.rerankMode];
  const reordered = order.map(({ index, value }, place) => {
    const candidate = first[index]!;
    const score = confidences[place]!;
    return changed(candidate, { score }, explain, () => {
      const sum = [
        { label: 'relevance by the cross-encoder', value: relevances[index] ?? 0, weight: share },
        { label: 'own confidence', value: candidate.score, weight: 1 - share },
      ];
      const parts = [
        { label: 'reranked by', value, parts: sum },
        { label: 'rank before reranking', value: index + 1 },
      ];
      return { label: 'confidence of the new rank', value: score, parts };
    });
  });
  return { ...state, candidates: [...reordered, ...state.candidates.slice(first.length)] };
}

type RerankMode = SearchSettings['rerankMode'];

/** Weight of relevance in the sum that decides the order; `blend` weighs relevance and confidence equally. */
const RELEVANCE_SHARE: Readonly<Record<RerankMode, number>> = { blend: 0.5, replace: 1 };

/**
 * Orders candidates by `(1 − share) · confidence + share · relevance`, best first; equal ones keep their order. Neither
 * number is rescaled: a cross-encoder with nearly equal scores should hardly change the order. Rescaling its few scores
 * to 0–1 would magnify such small differences.
 * @param confidences confidences of the candidates, 0–1, in their present order
 * @param relevances relevances of the same candidates, 0–1, by the cross-encoder
 * @returns the present `index` of each candidate and the `value` that it is ordered by, in the new order
 */
export function rerank(
  confidences: readonly number[],
  relevances: readonly number[],
  mode: RerankMode,
): { readonly index: number; readonly value: number }[] {
  const share = RELEVANCE_SHARE[mode];
  return confidences
    .map((confidence, index) => ({
      index,
      value: (1 - share) * confidence + share * (relevances[index] ?? 0),
    }))
    .sort((a, b) => b.value - a.value || a.index - b.index);
}
