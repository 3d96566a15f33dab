/** Lane: words of the query in the passage and its document's fields, by BM25F. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const keyword: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight'],
  scale: SCALE_TO_BEST,
  search: ({ indexes, request, mask }) =>
    indexes.keyword.search({ parsed: request.query }, request.depth, mask),
};
