/** Reranking: a cross-encoder reorders the first few candidates. */
import type { SearchSettings } from '../model/search-settings.ts';

type RerankMode = SearchSettings['rerankMode'];

/** Weight of relevance in the sum that decides the order; `blend` weighs relevance and confidence equally. */
export const RELEVANCE_SHARE: Readonly<Record<RerankMode, number>> = { blend: 0.5, replace: 1 };

/**
 * Orders candidates by `(1 − share) · confidence + share · relevance`, best first; equal ones keep their order. Both
 * numbers are unscaled, so the size of differences matters: a cross-encoder with nearly equal scores changes nothing.
 * Scaling the few candidates to 0–1 would turn such noise into a full vote.
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
