/**
 * Ranks the documents of a query again with other settings, from features computed once. Leaves out the stages of search that
 * compare candidates with each other.
 */
import type { Judgements } from '../evaluate/metrics.ts';
import { LANE_TABLE } from '../lanes/lane-table.ts';
import type { LaneFound } from '../model/candidates.ts';
import { LANES, type Lane, type RankingConstants } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import {
  fuseConvex,
  fuseReciprocal,
  type LaneValues,
  rescaleReciprocal,
  scaleWeights,
} from '../rank/fuse.ts';
import type { LaneColumns } from '../rank/lane-scale.ts';
import { recencyFactor } from '../rank/recency.ts';
import { logitsOf } from '../search/calibrate-candidates.ts';
import type { Candidate, SearchServices, SearchState } from '../search/state.ts';
import { type LaneWeights, weighLanes } from '../search/weigh-lanes.ts';

export interface QueryFeatures {
  /** Paths of the candidates' documents. Judgements name documents by path. */
  readonly documents: readonly string[];
  /** By candidate, in order of chunk id: the index of its document in `documents`. */
  readonly documentOf: Int32Array;
  /** By candidate: the lanes that found it, as bits in the order of `LANES`. */
  readonly foundBy: Uint16Array;
  /** One column of scores per lane, with one entry per candidate. */
  readonly lanes: LaneColumns;
  /** Factors of lane weights, as in `SearchState.laneFactors`. */
  readonly factors: LaneValues;
  readonly constants: RankingConstants;
  readonly available: { readonly semantic: boolean; readonly code: boolean };
  readonly linked: boolean;
  /** By candidate: logit of the confidence model; NaN without one. Absent if no candidate has a logit. */
  readonly logits?: Float64Array;
  /** By candidate: recency factor. Absent if all are 1. */
  readonly recency?: Float64Array;
  /** By document: number of its community, −1 for none. Absent if communities have no effect. */
  readonly communities?: Int32Array;
}

/** A judged query with its features. If no document answers the query, no judgement is above 0. */
export interface TuningQuery {
  readonly features: QueryFeatures;
  readonly judgements: Judgements;
}

/** Changes settings so that every available lane takes part, and the features include all lanes. */
export function withEveryLane(settings: SearchSettings): SearchSettings {
  const scales = LANES.flatMap((lane) => LANE_TABLE[lane].settings);
  return { ...settings, ...Object.fromEntries(scales.map((name) => [name, 1])) };
}

/** @param state after the stage `fuse`, run with the settings of `withEveryLane` */
export async function gatherFeatures(
  state: SearchState,
  services: Pick<SearchServices, 'model' | 'retrieval'>,
): Promise<QueryFeatures> {
  const { settings, now } = state.request;
  const { modified, communities: communityAt = [], lanes } = state.found;
  const { absolute } = state.weights;
  const candidates = state.candidates.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const numbers = [...new Set(candidates.map(({ document }) => document))];
  const documents = await services.retrieval.documents(numbers);
  const { logitOf } = logitsOf(state, services);
  const calibrated = settings.calibration === 'evidence' ? candidates : [];
  const logits = Float64Array.from(calibrated, (candidate) => logitOf(candidate) ?? Number.NaN);
  const places = new Map(numbers.map((number, place) => [number, place]));
  const boosted = settings.communityDetectionEnabled && settings.communityBoostFactor !== 1;
  const communities = new Int32Array(numbers.length).fill(-1);
  for (const { document, place } of boosted ? candidates : []) {
    communities[places.get(document)!] = communityAt[place] ?? -1;
  }
  const recency = Float64Array.from(candidates, ({ place }) =>
    recencyFactor(modified[place]!, now, settings.recencyBias),
  );
  return {
    documents: documents.map((document) => document?.path ?? ''),
    documentOf: Int32Array.from(candidates, ({ document }) => places.get(document)!),
    foundBy: foundBy(state, candidates),
    lanes: settings.fusion === 'rrf' ? votes(state, candidates) : scores(state, candidates),
    factors: state.laneFactors,
    constants: state.constants,
    available: { semantic: (absolute.semantic ?? 0) > 0, code: (absolute.code ?? 0) > 0 },
    linked: lanes.graph !== undefined,
    ...(logits.some((logit) => !Number.isNaN(logit)) && { logits }),
    ...(recency.some((factor) => factor !== 1) && { recency }),
    ...(communities.some((community) => community >= 0) && { communities }),
  };
}

function foundBy({ found }: SearchState, candidates: readonly Candidate[]): Uint16Array {
  const bits = new Uint16Array(found.slots.length);
  for (const [bit, lane] of LANES.entries()) {
    for (const place of found.lanes[lane]?.ranked ?? []) bits[place]! |= 1 << bit;
  }
  return Uint16Array.from(candidates, ({ place }) => bits[place]!);
}

function scores({ lanes }: SearchState, candidates: readonly Candidate[]): QueryFeatures['lanes'] {
  const inOrder = (column: Float64Array) => Float64Array.from(candidates, ({ place }) => column[place]!);
  const columns = Object.entries(lanes).map(([lane, { relative, absolute }]) => {
    return [lane, { relative: inOrder(relative), absolute: inOrder(absolute) }];
  });
  return Object.fromEntries(columns);
}

/** Returns each lane's votes for the candidates. Under `rrf`, the features have votes in place of scores. */
function votes({ found, request }: SearchState, candidates: readonly Candidate[]): QueryFeatures['lanes'] {
  const lanes = (Object.entries(found.lanes) as [Lane, LaneFound][]).filter(
    ([, { ranked }]) => ranked.length > 0,
  );
  return Object.fromEntries(
    lanes.map(([lane, own]) => {
      const k = request.settings.rrfKConstant;
      const all = fuseReciprocal({ [lane]: own }, { [lane]: 1 }, k, found.slots.length);
      const relative = Float64Array.from(candidates, ({ place }) => all[place]!);
      return [lane, { relative, absolute: relative.map((vote) => rescaleReciprocal(vote, 1)) }];
    }),
  );
}

/** The ranking of a query. */
export interface Rescored {
  /** Indexes into `features.documents`, best first. */
  readonly documents: readonly number[];
  /** Absolute score of the best candidate, from which the sigmoid computes confidence; absent without candidates. */
  readonly absolute?: number;
  /** The logit that the confidence model gives the best candidate; absent if it gives none. */
  readonly logit?: number;
}

export function weightsOf(features: QueryFeatures, settings: SearchSettings): LaneWeights {
  const available = { ...features.available, graph: features.linked };
  const { fusion, absolute } = weighLanes('hybrid', settings, available, features.constants);
  return { fusion: scaleWeights(fusion, features.factors), absolute };
}

/** Ranks documents by fusion, communities and recency. @param depth maximum number of documents to return */
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
    ...(first && { absolute: absoluteOf(first.candidate, features, weights.absolute) }),
    ...(logit !== undefined && !Number.isNaN(logit) && { logit }),
  };
}

/** Returns fused scores by candidate; −1 for a candidate that no lane with a weight has found. */
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

/** Returns the best documents, each by its best candidate. Equal scores are in the order of candidates: by chunk id. */
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

function absoluteOf(candidate: number, { lanes }: QueryFeatures, weights: LaneValues): number {
  return fuseConvex(weights, (lane) => lanes[lane]?.absolute.subarray(candidate, candidate + 1), 1)[0]!;
}
