/** Lane: likeness of meaning. */
import { COSINE_SCALE } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const semantic: LaneRow = {
  modes: ['hybrid', 'semantic'],
  settings: ['semanticWeight'],
  brings: true,
  scale: COSINE_SCALE,
};
