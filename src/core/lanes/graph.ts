/** Lane: links between the document and those of the best candidates. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const graph: LaneRow = {
  modes: ['hybrid'],
  settings: ['graphWeight'],
  brings: true,
  scale: SCALE_TO_BEST,
};
