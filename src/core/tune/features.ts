/** What the order of one query's candidates can depend on, gathered once, so that weights can be tried without searching. */
import type { Judgements } from '../evaluate/metrics.ts';
import { LANE_TABLE } from '../lanes/lane-table.ts';
import type { LaneFound } from '../model/candidates.ts';
import type { RankingConstants } from '../model/ranking-constants.ts';
import { LANES, type Lane } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';

import { fuseReciprocal, type LaneValues, rescaleReciprocal } from '../rank/fuse.ts';

import type { LaneColumn } from '../rank/lane-scale.ts';
import { recencyFactor } from '../rank/recency.ts';
import { logitsOf } from '../search/calibrate-candidates.ts';
import type { Candidate, SearchServices, SearchState } from '../search/state.ts';

export interface QueryFeatures {
  /** Names of the documents of the candidates, as judgements know them. */
  readonly documents: readonly string[];
  /** For every candidate, ordered by chunk id: the place of its document in `documents`. */
  readonly documentOf: Int32Array;
  /** Bits, in the order of `LANES`: which rankings brought the candidate. */
  readonly foundBy: Uint16Array;
  /** One column for each lane; entries by candidate. */
  readonly lanes: Readonly<Partial<Record<Lane, Pick<LaneColumn, 'relative' | 'absolute'>>>>;
  /** What the type of the query and the variance of its scores make of the weights. */
  readonly factors: LaneValues;
  readonly constants: RankingConstants;
  readonly available: { readonly semantic: boolean; readonly code: boolean };
  readonly linked: boolean;
  /** Logit of the evidence model for every candidate, NaN where none was fitted; absent under `sigmoid`. */
  readonly logits?: Float64Array;
  /** Recency factor of every candidate; absent when all are 1. */
  readonly recency?: Float64Array;
  /** Number of every document's community, −1 for none; absent when communities lift nothing. */
  readonly communities?: Int32Array;
}

/** A judged query with what was gathered for it; no judgement is above 0 where nothing answers it. */
export interface TuningQuery {
  readonly features: QueryFeatures;
  readonly judgements: Judgements;
}

/** The settings under which every lane takes part that can, so that none is missing from what is gathered. */
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
  const { evidence } = state.weights;
  const candidates = state.candidates.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const numbers = [...new Set(candidates.map(({ document }) => document))];
  const documents = await services.retrieval.documents(numbers);
  const logits = evidenceLogits(state, candidates, services);
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
    available: { semantic: (evidence.semantic ?? 0) > 0, code: (evidence.code ?? 0) > 0 },
    linked: lanes.graph !== undefined,
    ...(logits.some((logit) => !Number.isNaN(logit)) && { logits }),
    ...(recency.some((factor) => factor !== 1) && { recency }),
    ...(communities.some((community) => community >= 0) && { communities }),
  };
}

function evidenceLogits(
  state: SearchState,
  candidates: readonly Candidate[],
  services: Pick<SearchServices, 'model'>,
): Float64Array {
  if (state.request.settings.calibration !== 'evidence') return new Float64Array();
  const { logitOf } = logitsOf(state, services);
  return Float64Array.from(candidates, (candidate) => logitOf(candidate) ?? Number.NaN);
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
  return Object.fromEntries(
    Object.entries(lanes).map(([lane, { relative, absolute }]) => [
      lane,
      { relative: inOrder(relative), absolute: inOrder(absolute) },
    ]),
  );
}

/** Under reciprocal ranks a lane's score is its vote. */
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
