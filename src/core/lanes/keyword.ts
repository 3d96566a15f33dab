/** Lane: words of the query in the passage and its document's fields. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const keyword: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight'],
  brings: true,
  scale: SCALE_TO_BEST,
};
