/** Lane: how much of the query the file name says; weighted by the share of the name that the query covers. */
import { UNNAMED } from '../indexes/file-name-share.ts';
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const name: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'nameWeight'],
  follows: 'keyword',
  scale: SCALE_TO_BEST,
  async search({ indexes: { catalog, documents, analyzers }, request, rankings }) {
    const titles = await rankings.title;
    const fileNameShares = documents.fileNames(request.query.words);
    const sharesOf = (slot: number) => {
      // Nearly always: no name of the document holds a scored word.
      if (titles?.scoreOf(slot) === 0) return UNNAMED;
      const document = catalog.documentOf(slot);
      return fileNameShares(document, document && analyzers?.of(document.collection));
    };
    const scoreOf = (slot: number) => sharesOf(slot).asked;
    const explain = (slot: number) => ({ label: 'share of the query’s idf', value: scoreOf(slot) });
    return { lane: 'name', entries: [], best: 1, scoreOf, shareOf: (slot) => sharesOf(slot).said, explain };
  },
};
