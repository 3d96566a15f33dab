/** Lane: how much of the query a passage holds, however often: a share of its idf. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const coverage: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight'],
  follows: 'keyword',
  isObserved: true,
  // A share needs no scaling: even the best passage may cover little of the query.
  scale: {
    apply: (lane, constants) => SCALE_TO_BEST.apply({ ...lane, best: 1 }, constants),
    explain: (found, scale, lane, constants) =>
      SCALE_TO_BEST.explain(found, scale, { ...lane, best: 1 }, constants),
  },
  async search({ rankings }) {
    const keyword = await rankings.keyword;
    const { coverageOf, bestCoverage = 0 } = keyword ?? {};
    if (!coverageOf) return undefined;
    const explain = (slot: number) => ({
      label: 'share of the query’s idf matched',
      value: coverageOf(slot),
    });
    return { lane: 'coverage', entries: [], best: bestCoverage, scoreOf: coverageOf, explain };
  },
};
