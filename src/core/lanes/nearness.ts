/** Lane: neighbours among the words of the query that stand near each other in the passage, in their order; a share of their idf. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const nearness: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'nearnessWeight'],
  follows: 'keyword',
  scale: SCALE_TO_BEST,
  search({ indexes: { keyword }, request }) {
    const { found, idf } = keyword.nearPairs(request.query.words);
    // One word is near nothing.
    const total = idf.reduce((sum, each) => sum + each, 0) || 1;
    const scoreOf = (slot: number) => {
      const bits = found[slot] ?? 0;
      return idf.reduce((sum, each, bit) => (bits & (1 << bit) ? sum + each : sum), 0) / total;
    };
    const explain = (slot: number) => ({ label: 'share of the pairs’ idf', value: scoreOf(slot) });
    return { lane: 'nearness', entries: [], best: 1, scoreOf, explain };
  },
};
