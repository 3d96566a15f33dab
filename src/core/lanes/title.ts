/** Lane: words of the query in title, aliases and file name, by BM25 and by the share of the name that the query says. */
import { NAMELESS } from '../indexes/name-share.ts';
import { createTopK } from '../indexes/top-k.ts';
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import { looksLikePath, pathMatcher } from '../text/typed-path.ts';
import { shareScores } from './document.ts';
import type { Indexes, LaneRow } from './lane.ts';

/** Documents that become candidates by their names, at most. */
const MAX_DEPTH = 10;

export const title: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'titleWeight'],
  follows: 'keyword',
  scale: SCALE_TO_BEST,
  search({ indexes, request, mask }) {
    const { catalog, documents, analyzers } = indexes;
    const scores = documents.title(request.query);
    const shareOf = (slot: number) => {
      const found = catalog.documentOf(slot);
      return (found && scores.shareOf?.(found, analyzers?.of(found.collection))) ?? NAMELESS;
    };
    // No passage holds the words of a file name, so the document's first passage becomes the candidate.
    const top = createTopK(Math.min(MAX_DEPTH, request.depth), catalog.idOf);
    const offer = (number: number, score: number) => {
      const first = catalog
        .slotsOf(number)
        .find((slot) => (!mask || mask[slot] === 1) && catalog.isShown(slot));
      if (first !== undefined) top.offer(first, score);
    };
    const typed = typedDocuments(request.query.plain, indexes);
    for (const [number, parts] of typed) offer(number, scores.max + parts);
    for (let number = 0; number < scores.scores.length; number++) {
      const score = scores.scores[number]!;
      if (score > 0 && score >= top.least && !typed.has(number)) offer(number, score);
    }
    return { ...shareScores('title', scores, indexes), entries: top.ranked(), shareOf };
  },
};

/** By number, documents whose path was typed, and how many parts of it. */
function typedDocuments(query: string, { catalog }: Indexes): ReadonlyMap<number, number> {
  if (!looksLikePath(query)) return new Map();
  const partsIn = pathMatcher(query);
  const parts = [...catalog.all()].map((document) => [document.number, partsIn(document)] as const);
  return new Map(parts.filter(([, count]) => count > 0));
}
