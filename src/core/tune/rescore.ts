/** Ranks the documents of a query under other settings, from what was gathered for it: as search does, but for what compares candidates with each other. */
import { LANES } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import { fuseConvex, type LaneValues } from '../rank/fuse.ts';
import { scaleWeights } from '../rank/lane-factors.ts';
import { type LaneWeights, weighLanes } from '../search/weigh-lanes.ts';
import type { QueryFeatures } from './features.ts';

/** What was ranked for a query. */
export interface Rescored {
  /** Places in `features.documents`, best first. */
  readonly documents: readonly number[];
  /** Weighted sum of the best candidate, from which the sigmoid reads confidence; absent when there is none. */
  readonly evidence?: number;
  /** Its logit, where confidence is read off that. */
  readonly logit?: number;
}

/** The weights a query has under these settings. */
export function weightsOf(features: QueryFeatures, settings: SearchSettings): LaneWeights {
  const available = { ...features.available, graph: features.linked };
  const { fusion, evidence } = weighLanes('hybrid', settings, available, features.constants);
  const moved = Object.keys(features.factors).length > 0;
  return { fusion: moved ? scaleWeights(fusion, features.factors) : fusion, evidence };
}

/**
 * Ranks by fusion, communities and recency.
 * @param depth documents wanted
 */
export function rescore(
  features: QueryFeatures,
  weights: LaneWeights,
  settings: SearchSettings,
  depth: number,
): Rescored {
  const fused = fuse(features, weights.fusion);
  liftCommunities(fused, features, settings);
  const { recency } = features;
  if (recency) for (const [candidate, factor] of recency.entries()) fused[candidate]! *= factor;
  const best = bestDocuments(fused, features.documentOf, depth);
  const [first] = best;
  const logit = first && features.logits?.[first.candidate];
  return {
    documents: best.map(({ document }) => document),
    ...(first && { evidence: evidenceOf(first.candidate, features, weights.evidence) }),
    ...(logit !== undefined && !Number.isNaN(logit) && { logit }),
  };
}

/** −1 for a candidate that no ranking with a weight would have brought. */
function fuse({ lanes, foundBy }: QueryFeatures, weights: LaneValues): Float64Array {
  const fused = fuseConvex(weights, (lane) => lanes[lane]?.relative, foundBy.length);
  const asked = LANES.reduce((bits, lane, place) => (weights[lane] ? bits | (1 << place) : bits), 0);
  for (let candidate = 0; candidate < fused.length; candidate++) {
    if ((foundBy[candidate]! & asked) === 0) fused[candidate] = -1;
  }
  return fused;
}

function liftCommunities(
  fused: Float64Array,
  { communities, documentOf, constants }: QueryFeatures,
  { communityBoostFactor }: SearchSettings,
): void {
  if (!communities) return;
  const seeds = new Set(
    bestDocuments(fused, documentOf, constants.communitySeeds).map(({ document }) => document),
  );
  const lifted = new Set([...seeds].map((document) => communities[document]!).filter((each) => each >= 0));
  if (lifted.size === 0) return;
  for (let candidate = 0; candidate < fused.length; candidate++) {
    const document = documentOf[candidate]!;
    if (!lifted.has(communities[document]!) || seeds.has(document)) continue;
    fused[candidate]! *= communityBoostFactor;
  }
}

interface Best {
  readonly document: number;
  readonly candidate: number;
  readonly score: number;
}

/** Documents by their best candidate; equal scores by chunk id, which is the order of the candidates. */
function bestDocuments(scores: Float64Array, documentOf: Int32Array, depth: number): readonly Best[] {
  const best: Best[] = [];
  for (let candidate = 0; candidate < scores.length; candidate++) {
    const score = scores[candidate]!;
    if (score < 0 || (best.length === depth && score <= best[depth - 1]!.score)) continue;
    const document = documentOf[candidate]!;
    const known = best.findIndex((each) => each.document === document);
    if (known >= 0) {
      if (score <= best[known]!.score) continue;
      best.splice(known, 1);
    }
    let place = best.length;
    while (place > 0 && best[place - 1]!.score < score) place--;
    best.splice(place, 0, { document, candidate, score });
    if (best.length > depth) best.pop();
  }
  return best;
}

function evidenceOf(candidate: number, { lanes }: QueryFeatures, weights: LaneValues): number {
  return fuseConvex(weights, (lane) => lanes[lane]?.absolute.subarray(candidate, candidate + 1), 1)[0]!;
}
