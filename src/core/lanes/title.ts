/** Lane: words of the query in title, aliases and file name, by BM25 and by the share of the name that the query says. */
import { NAMELESS } from '../indexes/name-share.ts';
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import { shareScores } from './document.ts';
import type { LaneRow } from './lane.ts';

export const title: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'titleWeight'],
  follows: 'keyword',
  scale: SCALE_TO_BEST,
  search({ indexes, request }) {
    const { catalog, documents, analyzers } = indexes;
    const scores = documents.title(request.query);
    const shareOf = (slot: number) => {
      const found = catalog.documentOf(slot);
      return (found && scores.shareOf?.(found, analyzers?.of(found.collection))) ?? NAMELESS;
    };
    return { ...shareScores('title', scores, indexes), shareOf };
  },
};
