/** Stage: merges the rankings into one list of candidates, each with its score in every lane. */
import { NAMELESS, type ShareOf } from '../indexes/name-share.ts';
import { LANE_TABLE } from '../lanes/lane-table.ts';
import type { LaneScores } from '../model/candidates.ts';
import type { Explanation, Ranking } from '../model/hit.ts';
import type { RankingConstants } from '../model/ranking-constants.ts';
import { rescaleReciprocal } from '../rank/calibrate.ts';
import { fuseConvex } from '../rank/fuse-convex.ts';
import { fuseReciprocal } from '../rank/fuse-reciprocal.ts';
import type { LaneColumns } from '../rank/lane-scale.ts';
import { explainRanks, explainSum, explainVotes } from './explain-fusion.ts';
import { bestFirst, type Candidate, type SearchServices, type SearchState } from './state.ts';

/** Some hundred candidates in columns, the same place in each. */
interface Fusion {
  readonly lanes: LaneColumns;
  readonly fused: Float64Array;
  readonly evidence: Float64Array;
  readonly explain: (place: number) => readonly Explanation[];
}

/** Best first; equal fused scores are ordered by chunk id. */
export function fuseCandidates(state: SearchState, services: SearchServices): SearchState {
  const { catalog } = services;
  const { settings, explain: isExplained } = state.request;
  const slots = slotsOf(state.rankings, services);
  const fuse = settings.fusion === 'rrf' ? reciprocal : convex;
  const { lanes, fused, evidence, explain } = fuse(slots, state, services);
  const weighing = state.weighing ? [state.weighing] : [];
  const candidates = slots.map((slot, place): Candidate => {
    const document = catalog.documentOf(slot)?.number ?? -1;
    const explanation = isExplained ? [...explain(place), ...weighing] : [];
    const scores = { fused: fused[place]!, evidence: evidence[place]!, score: 0 };
    return { slot, id: catalog.idOf(slot), document, place, ...scores, explanation };
  });
  candidates.sort(bestFirst);
  return { ...state, lanes, candidates };
}

function convex(slots: readonly number[], state: SearchState, services: SearchServices): Fusion {
  const { weights } = state;
  const rankings = [...state.rankings, ...coverageRanking(state), ...documentRankings(state, services)];
  const lanes = laneColumns(rankings, slots, state.constants);
  const fused = fuseConvex(weights.fusion, (lane) => lanes[lane]?.relative, slots.length);
  const evidence = fuseConvex(weights.evidence, (lane) => lanes[lane]?.absolute, slots.length);
  const explain = (place: number) => {
    const at = { slot: slots[place]!, place };
    const of = { lanes, rankings, cosine: state.constants.cosine };
    return [
      explainSum('fused', fused[place]!, at, 'relative', weights.fusion, of),
      explainSum('evidence', evidence[place]!, at, 'absolute', weights.evidence, of),
    ];
  };
  return { lanes, fused, evidence, explain };
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
    const { fusion, evidence } = state.weights;
    // A factor of 0 takes a lane out of the order alone.
    if (!fusion[lane] && !evidence[lane]) return [];
    const { scoreOf, max, bound, explain, shareOf } = documents[lane](state.request.query);
    const numberOf = (slot: number) => catalog.documentOf(slot)?.number ?? -1;
    const shareAt = (of: ShareOf, slot: number) => {
      const document = catalog.documentOf(slot);
      return document ? of(document, analyzers?.of(document.collection)) : NAMELESS;
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

function reciprocal(slots: readonly number[], state: SearchState): Fusion {
  const { weights, request, rankings, constants } = state;
  const k = request.settings.rrfKConstant;
  const fusedVotes = fuseReciprocal(rankings, weights.fusion, k);
  const fused = Float64Array.from(slots, (slot) => fusedVotes.get(slot) ?? 0);
  // Confidence is read off votes that no factor has moved.
  const votes = fuseReciprocal(rankings, weights.evidence, k);
  const total = rankings.reduce((sum, ranking) => sum + (weights.evidence[ranking.lane] ?? 0), 0);
  const evidence = Float64Array.from(slots, (slot) => rescaleReciprocal(votes.get(slot) ?? 0, total));
  const explain = (place: number) => [
    explainRanks(fused[place]!, slots[place]!, weights.fusion, rankings, k),
    explainVotes(evidence[place]!, slots[place]!, weights.evidence, rankings, k),
  ];
  return { lanes: laneColumns(rankings, slots, constants), fused, evidence, explain };
}

function laneColumns(
  rankings: readonly Ranking[],
  slots: readonly number[],
  { cosine }: RankingConstants,
): LaneColumns {
  return Object.fromEntries(
    rankings.map((ranking) => [
      ranking.lane,
      LANE_TABLE[ranking.lane].scale.apply({ ...ranking, ...scoreColumns(ranking, slots) }, cosine),
    ]),
  );
}

function scoreColumns(
  { scoreOf, shareOf }: Ranking,
  slots: readonly number[],
): Pick<LaneScores, 'scores' | 'shares'> {
  const scores = Float64Array.from(slots, scoreOf);
  const share = (slot: number, place: number) => (scores[place]! > 0 && shareOf ? shareOf(slot).value : 1);
  return { scores, ...(shareOf && { shares: Float64Array.from(slots, share) }) };
}

/** Of a passage that shows nothing, such as a list of link definitions, there is nothing to say why it was found. */
function slotsOf(rankings: readonly Ranking[], { catalog }: SearchServices): readonly number[] {
  const slots = new Set<number>();
  for (const { entries } of rankings) for (const { slot } of entries) slots.add(slot);
  return [...slots].filter(catalog.isShown);
}
