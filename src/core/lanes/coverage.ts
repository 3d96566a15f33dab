/** Lane: how much of the query a passage holds, however often. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const coverage: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight'],
  follows: 'keyword',
  brings: false,
  // A share is on the scale already: the best of this query may cover little of it.
  scale: {
    apply: (lane, constants) => SCALE_TO_BEST.apply({ ...lane, best: 1 }, constants),
    explain: (found, scale, lane, constants) =>
      SCALE_TO_BEST.explain(found, scale, { ...lane, best: 1 }, constants),
  },
};
