/** Lane: votes of linked documents; the stage `graph` adds it, for it starts from what other lanes found. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const graph: LaneRow = {
  modes: ['hybrid'],
  settings: ['graphWeight'],
  scale: SCALE_TO_BEST,
};
