/** Lane: identifiers of the query in the code blocks of the passage, by BM25. */
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const code: LaneRow = {
  modes: ['hybrid', 'code'],
  settings: ['codeSearchWeight'],
  scale: SCALE_TO_BEST,
  search: ({ indexes, request, mask }) => indexes.code.search({ parsed: request.query }, request.depth, mask),
};
