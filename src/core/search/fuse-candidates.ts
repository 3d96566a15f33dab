/** Stage: merges the lanes into one list of candidates, best first, and explains each sum on request. */
import { LANE_TABLE } from '../lanes/lane-table.ts';
import type { LaneFound } from '../model/candidates.ts';
import { type Explanation, leaves } from '../model/hit.ts';
import { LANES, type Lane } from '../model/ranking-constants.ts';
import { fuseConvex, fuseReciprocal, type LaneValues, rescaleReciprocal } from '../rank/fuse.ts';
import type { LaneColumns } from '../rank/lane-scale.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';
import { explainLinks } from './follow-links.ts';
import { ABSOLUTE_SCORE, bestFirst, type Candidate, type SearchState } from './state.ts';
import { explainCosine } from './understand-query.ts';

/** Orders equal fused scores by chunk id. Skips passages without visible text, such as lists of link definitions. */
export function fuseCandidates(state: SearchState): SearchState {
  const { slots, ids, documents, shown } = state.found;
  const { settings, explain } = state.request;
  const lanes = laneColumns(state);
  const { fused, absolute } = settings.fusion === 'rrf' ? reciprocal(state) : convex(state, lanes);
  const weighing = state.weighing ? [state.weighing] : [];
  const candidates = slots.flatMap((slot, place): Candidate[] => {
    if (!shown[place]) return [];
    const sums = { fused: fused[place]!, absolute: absolute[place]! };
    // Only the two sums are stored here. Later, `explainFusion` adds the part of each lane, for shown hits only.
    const told = { fused: sums.fused, [ABSOLUTE_SCORE]: sums.absolute };
    const explanation = explain ? [...leaves(told), ...weighing] : [];
    return [{ slot, id: ids[place]!, document: documents[place]!, place, ...sums, score: 0, explanation }];
  });
  return { ...state, lanes, candidates: candidates.sort(bestFirst) };
}

function convex({ weights, found }: SearchState, lanes: LaneColumns) {
  const count = found.slots.length;
  return {
    fused: fuseConvex(weights.fusion, (lane) => lanes[lane]?.relative, count),
    absolute: fuseConvex(weights.absolute, (lane) => lanes[lane]?.absolute, count),
  };
}

/** Fuses by rank. The factors of this query (`laneFactors`) change the fused score, but not the absolute score. */
function reciprocal({ weights, request, found }: SearchState) {
  const k = request.settings.rrfKConstant;
  const count = found.slots.length;
  const votes = fuseReciprocal(found.lanes, weights.absolute, k, count);
  const lanes = LANES.filter((lane) => found.lanes[lane]);
  const total = lanes.reduce((sum, lane) => sum + (weights.absolute[lane] ?? 0), 0);
  return {
    fused: fuseReciprocal(found.lanes, weights.fusion, k, count),
    absolute: votes.map((vote) => rescaleReciprocal(vote, total)),
  };
}

function laneColumns({ found, weights: { fusion, absolute }, constants }: SearchState): LaneColumns {
  const columns = LANES.flatMap((lane) => {
    const scores = found.lanes[lane];
    if (!scores || !(lane in fusion || lane in absolute)) return [];
    return [[lane, LANE_TABLE[lane].scale.apply(scores, constants.cosine)] as const];
  });
  return Object.fromEntries(columns);
}

/** Adds the parts of fused and absolute score to the explanations of all candidates. Asks the index once. */
export async function explainFusion(state: SearchState, retrieval: Retrieval): Promise<readonly Candidate[]> {
  const { candidates, asked, request } = state;
  if (!request.explain || !asked) return candidates;
  const slots = candidates.map(({ slot }) => slot);
  const told = await retrieval.explain(asked, slots);
  return candidates.map((candidate, index): Candidate => {
    const { fused, absolute } =
      request.settings.fusion === 'rrf'
        ? explainVotes(candidate, state)
        : explainSums(candidate, state, (lane) => told[lane]?.[index]);
    const explanation = candidate.explanation.map((part) => {
      // Keep the value that fusion computed; later stages change `candidate.fused`.
      if (part.label === 'fused') return { ...part, parts: fused };
      return part.label === ABSOLUTE_SCORE ? { ...part, parts: absolute } : part;
    });
    return { ...candidate, explanation };
  });
}

/** The score of a lane as a tree, and its factors. */
type LaneExplanation = readonly [Explanation, ...(readonly Explanation[])];

function explainSums(
  candidate: Candidate,
  state: SearchState,
  told: (lane: Lane) => LaneExplanation | undefined,
) {
  const { fusion, absolute } = state.weights;
  // In an explanation, lanes with `follows` come last.
  const order = LANES.toSorted((a, b) => Number(!!LANE_TABLE[a].follows) - Number(!!LANE_TABLE[b].follows));
  const sum = (weights: LaneValues, scale: 'relative' | 'absolute'): readonly Explanation[] => {
    const total = Object.values(weights).reduce((all, weight) => all + weight, 0);
    return order.flatMap((lane): Explanation[] => {
      const [weight, column, found] = [weights[lane], state.lanes[lane], state.found.lanes[lane]];
      if (!weight || !column || !found) return [];
      const score = explainScore(lane, candidate, state) ?? told(lane);
      const plain = { label: 'BM25', value: found.scores[candidate.place]! };
      const parts = LANE_TABLE[lane].scale.explain(score ?? [plain], scale, found, state.constants.cosine);
      return [{ label: lane, value: column[scale][candidate.place]!, weight: weight / total, parts }];
    });
  };
  return { fused: sum(fusion, 'relative'), absolute: sum(absolute, 'absolute') };
}

/** Explains the score of a lane from the state of the search. Undefined for lanes that the index explains. */
function explainScore(
  lane: Lane,
  { place, document }: Candidate,
  state: SearchState,
): LaneExplanation | undefined {
  if (lane === 'semantic') return [explainCosine(state.found.lanes.semantic!.scores[place]!, state)];
  return lane === 'graph' && state.walk ? [explainLinks(document, state.walk)] : undefined;
}

/**
 * Explains the fused score under `rrf`, `Σ weight · 1 / (k + rank)`. The absolute score is the same sum with weights that
 * `laneFactors` did not change, rescaled by `rescaleReciprocal`.
 */
function explainVotes(candidate: Candidate, { weights, found, request }: SearchState) {
  const k = request.settings.rrfKConstant;
  const ranks = (by: LaneValues): readonly Explanation[] =>
    (Object.entries(found.lanes) as [Lane, LaneFound][]).flatMap(([lane, { ranked }]): Explanation[] => {
      const rank = ranked.indexOf(candidate.place) + 1;
      if (rank === 0) return [];
      return [{ label: lane, value: 1 / (k + rank), weight: by[lane] ?? 0, parts: leaves({ k, rank }) }];
    });
  const votes = ranks(weights.absolute);
  const sum = votes.reduce((all, { value, weight = 0 }) => all + value * weight, 0);
  const absolute = [
    { label: 'votes', value: sum, parts: votes },
    { label: 'rescaling to two rankings', value: sum > 0 ? candidate.absolute / sum : 0 },
  ];
  return { fused: ranks(weights.fusion), absolute };
}
