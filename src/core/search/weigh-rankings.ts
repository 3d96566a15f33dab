/** Stage: moves weight between lanes, by the query type, by the words found, and by how much the scores of a ranking differ. */
import { withFollowers } from '../lanes/lane-table.ts';
import type { Explanation } from '../model/hit.ts';
import type { Lane } from '../model/ranking-constants.ts';
import {
  coverageFactor,
  type LaneValues,
  normalizedVariance,
  scaleWeights,
  varianceFactor,
} from '../rank/fuse.ts';
import { votingDepth } from './retrieve.ts';
import type { SearchState } from './state.ts';

/**
 * Changes only the weights of fusion. The weights of the absolute score stay, because confidence was fitted to them and must mean
 * the same for every query.
 */
export function weighRankings(state: SearchState): SearchState {
  const { settings, explain } = state.request;
  const { fusion } = state.weights;
  const byType = state.laneFactors;
  const byVariance = settings.dynamicWeightsEnabled ? varianceFactors(state) : {};
  const byCoverage = settings.coverageWeightsEnabled ? coverageFactors(state) : {};
  const laneFactors = [byType, byCoverage, byVariance].reduce(multiply);
  if (Object.keys(laneFactors).length === 0) return state;
  const weights = { ...state.weights, fusion: scaleWeights(fusion, laneFactors) };
  const weighed = { ...state, laneFactors, weights };
  return explain
    ? { ...weighed, weighing: explainWeights(state, weighed, { byCoverage, byVariance }) }
    : weighed;
}

/**
 * Returns factors that lower the weights of the keyword lanes if no passage has enough words of the query. The semantic lane
 * takes over the lost weight. If the semantic lane has no weight, returns no factors.
 */
function coverageFactors({ found, weights, constants, request: { query } }: SearchState): LaneValues {
  const coverage = found.lanes.coverage?.best;
  // Corrected words are not counted: they add less to the coverage, and must not lower the weights of the keyword lanes.
  const terms = query.terms.filter(({ standsFor, spellings }) => !standsFor && !spellings).length;
  if (!weights.fusion.semantic || coverage === undefined || terms === 0) return {};
  const factor = coverageFactor(coverage, terms, constants.enoughWords);
  return factor < 1 ? withFollowers({ keyword: factor }) : {};
}

function varianceFactors({ found, request: { settings, topN } }: SearchState): LaneValues {
  const depth = votingDepth(settings, topN);
  const { varianceThreshold, minFactor } = settings;
  const factors = Object.entries(found.lanes).flatMap(([lane, { ranked, scores }]) => {
    // Uses only the first `depth` candidates: if the setting `candidates` is fixed, weights must not depend on `topN`.
    const variance = normalizedVariance(ranked.slice(0, depth).map((place) => scores[place]!));
    return variance === undefined
      ? []
      : [[lane, varianceFactor(variance, varianceThreshold, minFactor)] as const];
  });
  return withFollowers(Object.fromEntries(factors));
}

function multiply(a: LaneValues, b: LaneValues): LaneValues {
  const lanes = new Set([...Object.keys(a), ...Object.keys(b)] as Lane[]);
  return Object.fromEntries([...lanes].map((lane) => [lane, (a[lane] ?? 1) * (b[lane] ?? 1)]));
}

/** Explains the weight of each lane as a product: weight by settings, factors, and the rescaling that keeps the sum. */
function explainWeights(
  { queryType, laneFactors: byType, weights: before }: SearchState,
  { laneFactors, weights: after }: SearchState,
  { byCoverage, byVariance }: Readonly<Record<'byCoverage' | 'byVariance', LaneValues>>,
): Explanation {
  const factor = (label: string, value: number | undefined): Explanation[] =>
    value === undefined ? [] : [{ label, value }];
  const parts = (Object.entries(before.fusion) as [Lane, number][]).map(([lane, weight]): Explanation => {
    const product = weight * (laneFactors[lane] ?? 1);
    const value = after.fusion[lane] ?? 0;
    return {
      label: lane,
      value,
      parts: [
        { label: 'weight by settings', value: weight },
        ...factor(`${queryType} query`, byType[lane]),
        ...factor('factor for words found', byCoverage[lane]),
        ...factor('factor for the variance of scores', byVariance[lane]),
        { label: 'to keep the sum of the weights', value: product > 0 ? value / product : 1 },
      ],
    };
  });
  return { label: 'weights', value: parts.reduce((sum, { value }) => sum + value, 0), parts };
}
