/** Lane: identifiers of the query in the code blocks of the passage. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const code: LaneRow = {
  modes: ['hybrid', 'code'],
  settings: ['codeSearchWeight'],
  brings: true,
  scale: SCALE_TO_BEST,
};
