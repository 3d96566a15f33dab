/** How many chunks each retriever is asked for. */
import type { SearchSettings } from '../model/search-settings.ts';

/** Least number under `dynamic`. */
const MIN_DEPTH = 10;

/** At least `2 × topN`, so that merging and limits have enough to choose from, and never fewer than are reranked. */
export function retrievalDepth(settings: SearchSettings, topN: number): number {
  return Math.max(votingDepth(settings, topN), 2 * topN, settings.rerankEnabled ? settings.rerankTopN : 0);
}

/** How many of them have a say in links and weights; with a fixed number a longer answer asks deeper, but weighs the same. */
export function votingDepth({ candidates }: SearchSettings, topN: number): number {
  return candidates === 'dynamic' ? Math.max(MIN_DEPTH, 2 * topN) : candidates;
}
