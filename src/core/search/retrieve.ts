/** Stage: asks the index for candidates, in every lane that takes part. */
import { LANE_TABLE } from '../lanes/lane-table.ts';
import { LANES } from '../model/ranking-constants.ts';
import { hasCodeSignal } from '../query/code.ts';
import type { RetrievalRequest } from '../retrieval/retrieval.ts';
import { retrievalDepth } from './retrieval-depth.ts';
import type { SearchServices, SearchState } from './state.ts';
import { type LaneWeights, weighLanes } from './weigh-lanes.ts';

export async function retrieve(
  state: SearchState,
  { retrieval, embedQuery }: SearchServices,
): Promise<SearchState> {
  const { query, filters, mode, settings } = state.request;
  const asksForCode = hasCodeSignal(query.text) || query.filters.lang?.length || filters.lang?.length;
  const code = mode === 'code' || (settings.codeSearchEnabled && !!asksForCode);
  const available = { semantic: embedQuery !== undefined && query.plain !== '', code, graph: false };
  const weights = weighLanes(mode, settings, available, state.constants);
  const takesVector = weights.fusion.semantic ?? weights.evidence.semantic;
  const vector = takesVector ? (state.vector ?? embedQuery?.(query.plain)) : undefined;
  const asked = requestOf(state, weights, vector);
  const found = await retrieval.retrieve(asked);
  if (found.lanes.semantic) return { ...state, asked, found, weights };
  const others = weighLanes(mode, settings, { ...available, semantic: false }, state.constants);
  return { ...state, asked, found, weights: others };
}

/** What the index is asked where lanes have these weights. */
export function requestOf(
  { request: { query, filters, settings, topN } }: SearchState,
  { fusion, evidence }: LaneWeights,
  vector: RetrievalRequest['vector'],
): RetrievalRequest {
  const weighs = (lane: keyof typeof fusion) => Boolean(fusion[lane] || evidence[lane]);
  const lanes = LANES.filter((lane) => {
    const { follows, isObserved } = LANE_TABLE[lane];
    return weighs(lane) || (isObserved && follows && weighs(follows));
  });
  return {
    query,
    filters,
    lanes,
    ...(vector && { vector }),
    depth: retrievalDepth(settings, topN),
    communities: settings.communityDetectionEnabled,
  };
}
