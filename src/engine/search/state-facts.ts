/** Facts for an answer, taken from the last state of the pipeline. */
import type { SearchState } from '../../core/search/state.ts';
import type { SearchResult } from '../api.ts';

/** Returns the weight of each lane in the fused score. With convex fusion, the weights add up to 1. */
export function weightsOf({ request, weights: { fusion } }: SearchState): SearchResult['weights'] {
  if (request.settings.fusion === 'rrf') return fusion;
  const total = Object.values(fusion).reduce((sum, weight) => sum + weight, 0);
  return Object.fromEntries(
    Object.entries(fusion).map(([lane, weight]) => [lane, Number((weight / total).toPrecision(12))]),
  );
}

/** Counts candidates after each stage. A skipped stage has the count of the stage before it. */
export function statsOf(state: SearchState): SearchResult['stats'] {
  const at = (...stages: readonly string[]) => state.trace.find(({ stage }) => stages.includes(stage));
  let last = at('fuse', 'list')?.candidates ?? 0;
  const left = (stage: string) => {
    last = at(stage)?.candidates ?? last;
    return last;
  };
  const { passing } = state.found;
  return {
    ...(passing !== undefined && { afterFilters: passing }),
    originalCount: last,
    afterThreshold: left('threshold'),
    afterContentDedup: left('content_dedup'),
    afterNgramDedup: left('ngram_dedup'),
    afterSemanticDedup: left('semantic_dedup'),
    afterDocumentLimit: left('document_limit'),
    afterParents: left('parents'),
    clustersMerged: state.clusters,
  };
}
