/** How many chunks each retriever is asked for. */
import type { SearchSettings } from '../model/search-settings.ts';

/** At least `2 × topN`, so that merging and limits have enough to choose from, and never fewer than are reranked. */
export function retrievalDepth(settings: SearchSettings, topN: number): number {
  return Math.max(settings.candidates, 2 * topN, settings.rerankEnabled ? settings.rerankTopN : 0);
}
