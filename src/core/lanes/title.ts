/** Lane: words of the query in the names of the document. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const title: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'titleWeight'],
  follows: 'keyword',
  brings: false,
  scale: SCALE_TO_BEST,
};
