/** The explanation of a fused score: every number a person needs to redo the sum by hand. */
import { LANE_TABLE } from '../lanes/lane-table.ts';
import type { LaneFound } from '../model/candidates.ts';
import type { Explanation } from '../model/hit.ts';
import { LANES, type Lane } from '../model/ranking-constants.ts';
import type { LaneValues } from '../rank/fuse-convex.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';
import { explainCosine } from './expand-query.ts';
import { explainLinks } from './follow-links.ts';
import type { Candidate, SearchState } from './state.ts';

type Told = Awaited<ReturnType<Retrieval['explain']>>;

/** The candidates with what their fused scores and their evidence are made of; asked of the index in one batch. */
export async function explainFusion(state: SearchState, retrieval: Retrieval): Promise<readonly Candidate[]> {
  const { candidates, asked, request } = state;
  if (!request.explain || !asked) return candidates;
  const told = await retrieval.explain(
    asked,
    candidates.map(({ slot }) => slot),
  );
  const explain = request.settings.fusion === 'rrf' ? explainVotes : explainSums;
  return candidates.map((candidate, index): Candidate => {
    const made = explain(candidate, state, told, index);
    return {
      ...candidate,
      explanation: candidate.explanation.map((part) =>
        part.label === 'fused' ? made.fused : part.label === 'evidence' ? made.evidence : part,
      ),
    };
  });
}

interface Explained {
  readonly fused: Explanation;
  readonly evidence: Explanation;
}

function explainSums(candidate: Candidate, state: SearchState, told: Told, index: number): Explained {
  const { fusion, evidence } = state.weights;
  // Lanes that bring candidates come first.
  const order = LANES.toSorted((a, b) => Number(!!LANE_TABLE[a].follows) - Number(!!LANE_TABLE[b].follows));
  const own = order.flatMap((lane) => {
    const found = explainScore(lane, candidate, state, told, index);
    return found ? [{ lane, found }] : [];
  });
  const sum = (weights: LaneValues, scale: 'relative' | 'absolute'): readonly Explanation[] => {
    const total = Object.values(weights).reduce((all, weight) => all + weight, 0);
    return own.flatMap(({ lane, found }): Explanation[] => {
      const weight = weights[lane];
      const column = state.lanes[lane];
      if (!weight || !column) return [];
      const parts = LANE_TABLE[lane].scale.explain(
        found,
        scale,
        state.found.lanes[lane]!,
        state.constants.cosine,
      );
      return [{ label: lane, value: column[scale][candidate.place]!, weight: weight / total, parts }];
    });
  };
  return {
    fused: { label: 'fused', value: fusedOf(candidate), parts: sum(fusion, 'relative') },
    evidence: { label: 'evidence', value: candidate.evidence, parts: sum(evidence, 'absolute') },
  };
}

/** The score of a lane as the index tells it, or as the stage that made it does. */
function explainScore(
  lane: Lane,
  { place, document }: Candidate,
  state: SearchState,
  told: Told,
  index: number,
): readonly [Explanation, ...(readonly Explanation[])] | undefined {
  const scores = state.found.lanes[lane]?.scores;
  if (!scores) return undefined;
  if (lane === 'semantic') return [explainCosine(scores[place]!, state)];
  if (lane === 'graph' && state.walk) return [explainLinks(document, state.walk)];
  return told[lane]?.[index] ?? [{ label: 'BM25', value: scores[place]! }];
}

/** Reciprocal ranks, `value = Σ weight · 1 / (k + rank)`; evidence from votes that no factor has moved, `votes · full / total`. */
function explainVotes(candidate: Candidate, { weights, found, request }: SearchState): Explained {
  const k = request.settings.rrfKConstant;
  const ranks = (by: LaneValues): readonly Explanation[] =>
    (Object.entries(found.lanes) as [Lane, LaneFound][]).flatMap(([lane, { ranked }]): Explanation[] => {
      const rank = ranked.indexOf(candidate.place) + 1;
      if (rank === 0) return [];
      const numbers = [
        { label: 'k', value: k },
        { label: 'rank', value: rank },
      ];
      return [{ label: lane, value: 1 / (k + rank), weight: by[lane] ?? 0, parts: numbers }];
    });
  const votes = ranks(weights.evidence);
  const sum = votes.reduce((all, { value, weight = 0 }) => all + value * weight, 0);
  const parts = [
    { label: 'votes', value: sum, parts: votes },
    { label: 'to two full rankings', value: sum > 0 ? candidate.evidence / sum : 0 },
  ];
  return {
    fused: { label: 'fused', value: fusedOf(candidate), parts: ranks(weights.fusion) },
    evidence: { label: 'evidence', value: candidate.evidence, parts },
  };
}

/** As fusion left it, before later stages. */
function fusedOf({ explanation }: Candidate): number {
  return explanation.find(({ label }) => label === 'fused')?.value ?? 0;
}
