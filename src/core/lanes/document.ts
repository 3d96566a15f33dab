/** Lane: words of the query in the whole document. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const document: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'documentWeight'],
  follows: 'keyword',
  brings: false,
  scale: SCALE_TO_BEST,
};
