/** Lane: how much of the query the headings above a passage say; it counts by the share of the headings that is asked for. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const heading: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'headingWeight'],
  follows: 'keyword',
  scale: SCALE_TO_BEST,
  search({ indexes: { keyword }, request }) {
    const sharesOf = keyword.headingShares(request.query.words);
    const scoreOf = (slot: number) => sharesOf(slot).asked;
    const explain = (slot: number) => ({ label: 'share of the query’s idf', value: scoreOf(slot) });
    return {
      lane: 'heading',
      entries: [],
      best: 1,
      scoreOf,
      shareOf: (slot) => sharesOf(slot).said,
      explain,
    };
  },
};
