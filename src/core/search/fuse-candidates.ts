/** Stage: merges the lanes into one list of candidates, best first. */
import { LANE_TABLE } from '../lanes/lane-table.ts';
import { LANES } from '../model/ranking-constants.ts';
import { rescaleReciprocal } from '../rank/calibrate.ts';
import { fuseConvex } from '../rank/fuse-convex.ts';
import { fuseReciprocal } from '../rank/fuse-reciprocal.ts';
import type { LaneColumns } from '../rank/lane-scale.ts';
import { bestFirst, type Candidate, type SearchState } from './state.ts';

/** By place. */
interface Fusion {
  readonly fused: Float64Array;
  readonly evidence: Float64Array;
}

/**
 * Equal fused scores are ordered by chunk id. Skips passages without visible text, such as lists of link definitions.
 */
export function fuseCandidates(state: SearchState): SearchState {
  const { slots, ids, documents, shown } = state.found;
  const { settings, explain } = state.request;
  const lanes = laneColumns(state);
  const { fused, evidence } = settings.fusion === 'rrf' ? reciprocal(state) : convex(state, lanes);
  const weighing = state.weighing ? [state.weighing] : [];
  const candidates = slots.flatMap((slot, place): Candidate[] => {
    if (!shown[place]) return [];
    const scores = { fused: fused[place]!, evidence: evidence[place]!, score: 0 };
    // Only the lanes of shown hits are explained.
    const parts = [
      { label: 'fused', value: scores.fused },
      { label: 'evidence', value: scores.evidence },
    ];
    const explanation = explain ? [...parts, ...weighing] : [];
    return [{ slot, id: ids[place]!, document: documents[place]!, place, ...scores, explanation }];
  });
  candidates.sort(bestFirst);
  return { ...state, lanes, candidates };
}

function convex({ weights, found }: SearchState, lanes: LaneColumns): Fusion {
  const count = found.slots.length;
  return {
    fused: fuseConvex(weights.fusion, (lane) => lanes[lane]?.relative, count),
    evidence: fuseConvex(weights.evidence, (lane) => lanes[lane]?.absolute, count),
  };
}

/** Confidence is read off votes that no factor has moved. */
function reciprocal({ weights, request, found }: SearchState): Fusion {
  const k = request.settings.rrfKConstant;
  const count = found.slots.length;
  const votes = fuseReciprocal(found.lanes, weights.evidence, k, count);
  const lanes = LANES.filter((lane) => found.lanes[lane]);
  const total = lanes.reduce((sum, lane) => sum + (weights.evidence[lane] ?? 0), 0);
  return {
    fused: fuseReciprocal(found.lanes, weights.fusion, k, count),
    evidence: votes.map((vote) => rescaleReciprocal(vote, total)),
  };
}

/** Lanes that weigh somewhere, in the scales that are summed. */
function laneColumns({ found, weights: { fusion, evidence }, constants }: SearchState): LaneColumns {
  const columns = LANES.flatMap((lane) => {
    const scores = found.lanes[lane];
    if (!scores || !(lane in fusion || lane in evidence)) return [];
    return [[lane, LANE_TABLE[lane].scale.apply(scores, constants.cosine)] as const];
  });
  return Object.fromEntries(columns);
}
