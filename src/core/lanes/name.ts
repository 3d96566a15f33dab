/** Lane: how much of the query the file name says; it counts by the share of the name that is asked for. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const name: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'nameWeight'],
  follows: 'keyword',
  scale: SCALE_TO_BEST,
  search({ indexes: { catalog, documents, analyzers }, request }) {
    const fileNameShares = documents.fileNames(request.query.words);
    const sharesOf = (slot: number) => {
      const document = catalog.documentOf(slot);
      return fileNameShares(document, document && analyzers?.of(document.collection));
    };
    const scoreOf = (slot: number) => sharesOf(slot).asked;
    const explain = (slot: number) => ({ label: 'share of the query’s idf', value: scoreOf(slot) });
    return { lane: 'name', entries: [], best: 1, scoreOf, shareOf: (slot) => sharesOf(slot).said, explain };
  },
};
