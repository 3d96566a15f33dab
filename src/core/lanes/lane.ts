/** What the table of lanes says of each one. */
import type { SearchMode } from '../model/query.ts';
import type { Lane } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import type { LaneScale } from '../rank/lane-scale.ts';

/** Settings that scale the weight of lanes. */
export type WeightSetting = Extract<keyof SearchSettings, `${string}Weight`>;

export interface LaneRow {
  /** In these it takes part. */
  readonly modes: readonly SearchMode[];
  /** Their product scales its weight. */
  readonly settings: readonly WeightSetting[];
  /** Its weight moves with that of this lane, because both are read off one index. */
  readonly follows?: Lane;
  /** Whether it brings candidates, in an order of its own; other lanes score what was found. */
  readonly brings: boolean;
  readonly scale: LaneScale;
}
