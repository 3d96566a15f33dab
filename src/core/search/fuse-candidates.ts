/** Stage: merges the rankings into one list of candidates, each with its score in every lane. */
import type { ShareOf } from '../indexes/name-share.ts';
import { documentNames } from '../model/document-names.ts';
import type { Explanation, Lane, Ranking } from '../model/hit.ts';
import { rescaleReciprocal } from '../rank/calibrate.ts';
import { convexFusion } from '../rank/fuse-convex.ts';
import { fuseReciprocal } from '../rank/fuse-reciprocal.ts';
import { type LaneScore, laneScale } from '../rank/lanes.ts';
import { explainRanks, explainSum, explainVotes, type LaneScores } from './explain-fusion.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/** Best first; equal fused scores are ordered by chunk id. */
export function fuseCandidates(state: SearchState, services: SearchServices): SearchState {
  const candidates =
    state.request.settings.fusion === 'rrf' ? reciprocal(state, services) : convex(state, services);
  candidates.sort((a, b) => b.fused - a.fused || (a.id < b.id ? -1 : 1));
  const { weighing } = state;
  if (!weighing) return { ...state, candidates };
  const explained = candidates.map((candidate) => ({
    ...candidate,
    explanation: [...candidate.explanation, weighing],
  }));
  return { ...state, candidates: explained };
}

function convex(state: SearchState, services: SearchServices): Candidate[] {
  const { weights, request } = state;
  const rankings = [...state.rankings, ...coverageRanking(state), ...documentRankings(state, services)];
  const scoresOf = laneScores(rankings);
  const order = convexFusion(weights.fusion);
  const trust = convexFusion(weights.evidence);
  return slotsOf(state.rankings, services).map((slot) => {
    const lanes = scoresOf(slot);
    const fused = order((lane) => lanes[lane]?.relative ?? 0);
    const evidence = trust((lane) => lanes[lane]?.absolute ?? 0);
    const explanation = request.explain
      ? [
          explainSum('fused', fused, slot, lanes, 'relative', weights.fusion, rankings),
          explainSum('evidence', evidence, slot, lanes, 'absolute', weights.evidence, rankings),
        ]
      : [];
    return candidate(slot, services, lanes, fused, evidence, explanation);
  });
}

/** How much of the query each chunk holds, however often: read off the keyword ranking, brings no candidates. */
function coverageRanking({ weights, rankings }: SearchState): Ranking[] {
  const coverageOf = rankings.find(({ lane }) => lane === 'keyword')?.coverageOf;
  if (!coverageOf || !weights.fusion.coverage) return [];
  const explain = (slot: number) => ({ label: 'share of the query’s idf matched', value: coverageOf(slot) });
  return [{ lane: 'coverage', entries: [], best: 1, scoreOf: coverageOf, explain }];
}

/** Scores of whole documents, shared by their chunks; they refine the order but bring no candidates. */
function documentRankings(state: SearchState, { catalog, documents, analyzers }: SearchServices): Ranking[] {
  return (['document', 'title'] as const).flatMap((lane): Ranking[] => {
    if (!state.weights.fusion[lane]) return [];
    const { scoreOf, max, bound, explain, shareOf } = documents[lane](state.request.query);
    const numberOf = (slot: number) => catalog.documentOf(slot)?.number ?? -1;
    const shareAt = (of: ShareOf, slot: number) => {
      const document = catalog.documentOf(slot);
      return of(document ? documentNames(document) : [], document && analyzers?.of(document.collection));
    };
    return [
      {
        lane,
        entries: [],
        best: max,
        scoreOf: (slot) => scoreOf(numberOf(slot)),
        bound,
        explain: (slot) => explain(numberOf(slot)),
        ...(shareOf && { shareOf: (slot: number) => shareAt(shareOf, slot) }),
      },
    ];
  });
}

function reciprocal(state: SearchState, services: SearchServices): Candidate[] {
  const { weights, request, rankings } = state;
  const k = request.settings.rrfKConstant;
  const scoresOf = laneScores(rankings);
  // Confidence is read off votes that no factor has moved.
  const votes = fuseReciprocal(rankings, weights.evidence, k);
  const total = rankings.reduce((sum, ranking) => sum + (weights.evidence[ranking.lane] ?? 0), 0);
  const fusedVotes = fuseReciprocal(rankings, weights.fusion, k);
  return slotsOf(rankings, services).map((slot) => {
    const fused = fusedVotes.get(slot) ?? 0;
    const evidence = rescaleReciprocal(votes.get(slot) ?? 0, total);
    const explanation = request.explain
      ? [
          explainRanks(fused, slot, weights.fusion, rankings, k),
          explainVotes(evidence, slot, weights.evidence, rankings, k),
        ]
      : [];
    return candidate(slot, services, scoresOf(slot), fused, evidence, explanation);
  });
}

/** Some hundred candidates times six lanes: a loop, because entries and spreads took most of the stage's time. */
function laneScores(rankings: readonly Ranking[]): (slot: number) => LaneScores {
  const scales = rankings.map((ranking) => ({ lane: ranking.lane, scale: laneScale(ranking) }));
  return (slot) => {
    const lanes: Partial<Record<Lane, LaneScore>> = {};
    for (const { lane, scale } of scales) lanes[lane] = scale(slot);
    return lanes;
  };
}

function candidate(
  slot: number,
  { catalog }: SearchServices,
  lanes: LaneScores,
  fused: number,
  evidence: number,
  explanation: readonly Explanation[],
): Candidate {
  const document = catalog.documentOf(slot)?.number ?? -1;
  return { slot, id: catalog.idOf(slot), document, lanes, fused, evidence, score: 0, explanation };
}

/** Of a passage that shows nothing, such as a list of link definitions, there is nothing to say why it was found. */
function slotsOf(rankings: readonly Ranking[], { catalog }: SearchServices): number[] {
  const slots = new Set<number>();
  for (const { entries } of rankings) for (const { slot } of entries) slots.add(slot);
  return [...slots].filter(catalog.isShown);
}
