/** Lane: neighbours among the words of the query that stand near each other in the passage, in their order; a share of their idf. */
import { weighWords } from '../indexes/weighed-words.ts';
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const nearness: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'nearnessWeight'],
  follows: 'keyword',
  scale: SCALE_TO_BEST,
  async search({ indexes: { keyword }, request, rankings }) {
    const words = weighWords(request.query.words, (await rankings.keyword)?.idf);
    const { found, idf, release } = keyword.nearPairs(words);
    // A single word has no neighbour.
    const total = idf.reduce((sum, each) => sum + each, 0) || 1;
    const scoreOf = (slot: number) => {
      const bits = found[slot] ?? 0;
      if (bits === 0) return 0;
      let sum = 0;
      for (let bit = 0; bit < idf.length; bit++) if (bits & (1 << bit)) sum += idf[bit]!;
      return sum / total;
    };
    const explain = (slot: number) => ({ label: 'share of the pairs’ idf', value: scoreOf(slot) });
    return { lane: 'nearness', entries: [], best: 1, scoreOf, explain, release };
  },
};
