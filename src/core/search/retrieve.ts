/** Stages that find candidates: by the lanes of a query, by a hypothesis, or by filters alone. */
import { LANE_TABLE } from '../lanes/lane-table.ts';
import { LANES } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import { hasCodeSignal } from '../query/code.ts';
import { documentFilter, languageFilter } from '../query/filter.ts';
import { isAhead } from '../rank/recency.ts';
import type { RetrievalRequest } from '../retrieval/retrieval.ts';
import { compareText } from '../text/compare-text.ts';
import type { Candidate, SearchRequest, SearchServices, SearchState } from './state.ts';
import { type LaneWeights, weighLanes } from './weigh-lanes.ts';

/** Asks the index for candidates, in every lane that takes part. */
export async function retrieve(
  state: SearchState,
  { retrieval, embedQuery }: SearchServices,
): Promise<SearchState> {
  const { query, filters, mode, settings } = state.request;
  const asksForCode = hasCodeSignal(query.text) || query.filters.lang?.length || filters.lang?.length;
  const code = mode === 'code' || (settings.codeSearchEnabled && !!asksForCode);
  const weightsFor = (semantic: boolean) =>
    weighLanes(mode, settings, { semantic, code, graph: false }, state.constants);
  const weights = weightsFor(embedQuery !== undefined && query.plain !== '');
  const takesVector = weights.fusion.semantic ?? weights.absolute.semantic;
  const vector = takesVector ? (state.vector ?? embedQuery?.(query.plain)) : undefined;
  const asked = requestOf(state, weights, vector);
  const found = await retrieval.retrieve(asked);
  return { ...state, asked, found, weights: found.lanes.semantic ? weights : weightsFor(false) };
}

/** Weights of a search by hypothesis: only the semantic lane takes part. */
const BY_MEANING = { fusion: { semantic: 1 }, absolute: { semantic: 1 } };

/**
 * Ranks chunks by their similarity to a hypothesis: a text written like a possible answer (HyDE). Embeds the hypothesis as a
 * passage, without instruction and expansion.
 * @see Gao, Ma, Lin and Callan 2023, "Precise Zero-Shot Dense Retrieval without Relevance Labels"
 */
export async function retrieveByHypothesis(
  state: SearchState,
  { embedPassage, retrieval }: SearchServices,
): Promise<SearchState> {
  const { hypothesis = '' } = state.request;
  if (hypothesis.trim() === '' || !embedPassage) return state;
  const vector = state.vector ?? (await embedPassage(hypothesis));
  const asked = requestOf(state, BY_MEANING, vector);
  return { ...state, vector, weights: BY_MEANING, asked, found: await retrieval.retrieve(asked) };
}

/** Makes the request to the index. Asks for the lanes that have a weight, and for `isObserved` lanes that follow such a lane. */
function requestOf(
  { request: { query, filters, settings, topN }, depthFactor = 1 }: SearchState,
  { fusion, absolute }: LaneWeights,
  vector: RetrievalRequest['vector'],
): RetrievalRequest {
  const weighs = (lane: keyof typeof fusion) => Boolean(fusion[lane] || absolute[lane]);
  const lanes = LANES.filter((lane) => {
    const { follows, isObserved } = LANE_TABLE[lane];
    return weighs(lane) || (isObserved && follows && weighs(follows));
  });
  return {
    query,
    filters,
    lanes,
    ...(vector && { vector }),
    depth: depthFactor * retrievalDepth(settings, topN),
    communities: settings.communityDetectionEnabled,
  };
}

/** Minimum depth if the setting `candidates` is `dynamic`. */
const MIN_DEPTH = 10;

/**
 * Returns the number of chunks wanted from each lane: at least `2 × topN`, so that enough remain after merging and limits,
 * and at least as many as are reranked.
 */
export function retrievalDepth(settings: SearchSettings, topN: number): number {
  return Math.max(votingDepth(settings, topN), 2 * topN, settings.rerankEnabled ? settings.rerankTopN : 0);
}

/**
 * Returns how many chunks of a lane are used to follow links and to weigh lanes. With a fixed setting `candidates`, the number does
 * not depend on `topN`, so that a longer answer has the same scores.
 */
export function votingDepth({ candidates }: SearchSettings, topN: number): number {
  return candidates === 'dynamic' ? Math.max(MIN_DEPTH, 2 * topN) : candidates;
}

export function isListing({ query, filters, hypothesis }: SearchRequest): boolean {
  // Not `plain`: signs alone, such as an emoji, ask for something, though nothing can be searched for.
  if (hypothesis !== undefined || query.text.trim() !== '') return false;
  return [filters, query.filters].some((each) => documentFilter(each) ?? languageFilter(each));
}

/**
 * Answers a query that has filters but no words. Every document that passes gives one passage, see `Retrieval.list`. Newest
 * documents come first, future dates last; equal dates are ordered by id. All have confidence 1, because all pass the filters.
 */
export async function listDocuments(state: SearchState, { retrieval }: SearchServices): Promise<SearchState> {
  const { query, filters, now, explain } = state.request;
  const found = await retrieval.list({ query, filters });
  const documents = await retrieval.documents(found.documents);
  const isLater = (place: number) => Number(isAhead(found.modified[place]!, now));
  const idOf = (place: number) => documents[place]?.id ?? '';
  const order = [...found.slots.keys()].sort(
    (a, b) =>
      isLater(a) - isLater(b) || found.modified[b]! - found.modified[a]! || compareText(idOf(a), idOf(b)),
  );
  const explanation = explain ? [{ label: 'passes the filters', value: 1 }] : [];
  const sure = { fused: 1, absolute: 1, score: 1, trust: 'high' as const, explanation };
  const candidates = order.map((place): Candidate => {
    const [slot, id, document] = [found.slots[place]!, found.ids[place]!, found.documents[place]!];
    return { ...sure, slot, id, document, place };
  });
  return { ...state, found, candidates };
}
