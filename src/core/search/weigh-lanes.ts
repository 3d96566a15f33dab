/** Which lanes take part in a search, and with what weight. */
import { LANE_TABLE } from '../lanes/lane-table.ts';
import type { SearchMode } from '../model/query.ts';
import { LANES, type Lane, type RankingConstants } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import type { LaneValues } from '../rank/fuse.ts';

export interface LaneWeights {
  /** Weights of the score that orders the hits. */
  readonly fusion: LaneValues;
  /** Weights of the absolute score, from which confidence is computed if the confidence model is not used. */
  readonly absolute: LaneValues;
}

/** By lane: false if the lane cannot take part. The other lanes then share its weight. */
export type Available = Readonly<Partial<Record<Lane, boolean>>>;

export function weighLanes(
  mode: SearchMode,
  settings: SearchSettings,
  available: Available,
  { lanes, votes, absolute }: RankingConstants,
): LaneWeights {
  const taking = LANES.filter((lane) => LANE_TABLE[lane].modes.includes(mode) && available[lane] !== false);
  const pick = (table: LaneValues, of: readonly Lane[]): LaneValues => {
    const weighed = of.map((lane) => [lane, scaleBySettings(lane, table, settings)] as const);
    return Object.fromEntries(weighed.filter(([, weight]) => weight > 0));
  };
  // RRF adds ranks, not scores, so it has its own weights. A lane that is not in `votes` takes no part.
  const [fusion, observed] = settings.fusion === 'rrf' ? [votes, votes] : [lanes, absolute];
  // Confidence does not use the link lane: a link shows where to look, not that the answer is there.
  const found = taking.filter((lane) => LANE_TABLE[lane].search);
  return { fusion: pick(fusion, taking), absolute: pick(observed, found) };
}

export function weighLane(lane: Lane, settings: SearchSettings, { lanes, votes }: RankingConstants): number {
  return scaleBySettings(lane, settings.fusion === 'rrf' ? votes : lanes, settings);
}

function scaleBySettings(lane: Lane, table: LaneValues, settings: SearchSettings): number {
  return (
    LANE_TABLE[lane].settings.reduce((product, name) => product * settings[name], 1) * (table[lane] ?? 0)
  );
}
