/** Finds the weights with the best ranking of the judged queries: a coordinate search over a grid. */

import { ndcg } from '../evaluate/metrics.ts';
import { mean } from '../evaluate/statistics.ts';
import { LANE_TABLE } from '../lanes/lane-table.ts';
import { LANES } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import { type QueryFeatures, rescore, type TuningQuery, weightsOf } from './rescore.ts';

/** Weights that are fitted. `semantic_weight` stays fixed, because only ratios matter. */
export const TUNED_WEIGHTS = [
  'keywordWeight',
  'documentWeight',
  'titleWeight',
  'graphWeight',
  'codeSearchWeight',
] as const;
export type TunedWeight = (typeof TUNED_WEIGHTS)[number];
export type TunedWeights = Readonly<Pick<SearchSettings, TunedWeight>>;

/** Number of documents that nDCG uses. */
const DEPTH = 10;
/** Minimum gain in quality for which a weight is changed. A smaller gain is not worth a line in a configuration. */
const MIN_GAIN = 0.0005;
/** Maximum number of rounds; the search nearly always ends earlier. */
const MAX_ROUNDS = 10;

const GRID: Readonly<Record<TunedWeight, readonly number[]>> = {
  // Above 0, as the semantic weight is: without one of these lanes, a search finds other candidates than those scored here.
  keywordWeight: [0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2, 3, 5],
  documentWeight: [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5],
  titleWeight: [0, 0.5, 1, 2, 3, 5, 8],
  graphWeight: [0, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 3],
  codeSearchWeight: [0, 0.5, 1, 2, 4, 8],
};

/** Returns nDCG@10 of one query with these settings, 0–1. */
export function qualityOf({ features, judgements }: TuningQuery, settings: SearchSettings): number {
  const { documents } = rescore(features, weightsOf(features, settings), settings, DEPTH);
  const found = documents.map((document) => features.documents[document]!);
  return ndcg(found, judgements, DEPTH);
}

/**
 * Starts from the weights in the settings. Changes one weight at a time while the mean quality rises by at least `MIN_GAIN`.
 * @param sets queries of each set; all sets have the same weight in the mean, however many queries they have
 * @returns `tried` is the number of combinations of weights that were tried
 */
export function fitWeights(sets: readonly (readonly TuningQuery[])[], settings: SearchSettings) {
  let weights = pickWeights(settings);
  let best = meanQuality(sets, settings);
  let tried = 1;
  const names = TUNED_WEIGHTS.filter((name) => sets.flat().some(({ features }) => reacts(features, name)));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = weights;
    for (const name of names) {
      for (const value of GRID[name]) {
        if (value === weights[name]) continue;
        const trial = { ...weights, [name]: value };
        const quality = meanQuality(sets, { ...settings, ...trial });
        tried++;
        if (quality < best + MIN_GAIN) continue;
        best = quality;
        weights = trial;
      }
    }
    if (weights === before) break;
  }
  return { weights, tried };
}

export function pickWeights(settings: SearchSettings): TunedWeights {
  const { keywordWeight, documentWeight, titleWeight, graphWeight, codeSearchWeight } = settings;
  return { keywordWeight, documentWeight, titleWeight, graphWeight, codeSearchWeight };
}

/** Whether a weight affects a query. A weight that affects no query is not fitted. */
function reacts({ lanes }: QueryFeatures, name: TunedWeight): boolean {
  return LANES.some((lane) => lanes[lane] !== undefined && LANE_TABLE[lane].settings.includes(name));
}

function meanQuality(sets: readonly (readonly TuningQuery[])[], settings: SearchSettings): number {
  const means = sets
    .filter((queries) => queries.length > 0)
    .map((queries) => mean(queries.map((query) => qualityOf(query, settings))));
  return mean(means);
}
