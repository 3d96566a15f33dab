/** Lane: words of the query in the whole document, by BM25; its passages share the score. */
import type { DocumentScores } from '../indexes/documents.ts';
import type { Ranking } from '../indexes/retriever.ts';
import type { Lane } from '../model/ranking-constants.ts';
import { SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { Indexes, LaneRow } from './lane.ts';

export const document: LaneRow = {
  modes: ['hybrid', 'keyword'],
  settings: ['keywordWeight', 'documentWeight'],
  follows: 'keyword',
  scale: SCALE_TO_BEST,
  search: ({ indexes, request }) =>
    shareScores('document', indexes.documents.document(request.query), indexes),
};

/** Scores of documents as a ranking of passages that brings none. */
export function shareScores(lane: Lane, scores: DocumentScores, { catalog }: Indexes): Ranking {
  const { scoreOf, max, bound, explain, release } = scores;
  const numberOf = (slot: number) => catalog.documentOf(slot)?.number ?? -1;
  return {
    lane,
    entries: [],
    best: max,
    bound,
    scoreOf: (slot) => scoreOf(numberOf(slot)),
    explain: (slot) => explain(numberOf(slot)),
    release,
  };
}
