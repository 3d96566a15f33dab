/**
 * Lane: how much of the query the headings above a passage say; weighted by the share of the headings that
 * the query covers.
 */
import { weighWords } from '../indexes/weighed-words.ts';
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const heading: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'headingWeight'],
  follows: 'keyword',
  scale: SCALE_TO_BEST,
  async search({ indexes: { keyword }, request, rankings }) {
    const words = weighWords(request.query.words, (await rankings.keyword)?.idf);
    const sharesOf = keyword.headingShares(words);
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
