/** Collects facts and scores of passages into columns. */
import type { Ranking } from '../indexes/retriever.ts';
import type { Indexes } from '../lanes/lane.ts';
import type { Candidates, LaneFound } from '../model/candidates.ts';
import type { ParsedQuery } from '../model/query.ts';
import { LANES, type Lane } from '../model/ranking-constants.ts';
import type { RetrievalRequest } from './retrieval.ts';

export interface Known extends Pick<Indexes, 'catalog' | 'keyword'> {
  /** A number shared by all documents of a community; undefined for a document without a community. */
  readonly communityOf?: (document: number) => number | undefined;
}

/** Returns facts and scores of slots. A slot that was removed after ranking has `shown` false. */
export function collectColumns(
  slots: readonly number[],
  rankings: Readonly<Partial<Record<Lane, Ranking>>>,
  { query, communities }: Pick<RetrievalRequest, 'query' | 'communities'>,
  parts: Known,
): Candidates {
  const { catalog, communityOf } = parts;
  const documents = slots.map(catalog.documentOf);
  const numbers = documents.map((document) => document?.number ?? -1);
  const places = new Map(slots.map((slot, place) => [slot, place]));
  const mayShow = parentTest(query, parts);
  const lanes = LANES.flatMap((lane) => {
    const ranking = rankings[lane];
    return ranking ? [[lane, scoreColumn(ranking, slots, places)] as const] : [];
  });
  return {
    slots,
    ids: slots.map(catalog.idOf),
    documents: numbers,
    modified: documents.map((document) => document?.modified ?? 0),
    contents: slots.map(catalog.contentOf),
    parents: slots.map((slot, place) => {
      const parent = catalog.parentOf(slot);
      return parent !== undefined && mayShow(numbers[place]!, parent) ? parent : undefined;
    }),
    ...(communities && communityOf && { communities: numbers.map(communityOf) }),
    shown: slots.map(catalog.isShown),
    lanes: Object.fromEntries(lanes),
  };
}

function scoreColumn(
  { entries, best, median, bound, idf, scoreOf, scoresOf, shareOf }: Ranking,
  slots: readonly number[],
  places: ReadonlyMap<number, number>,
): LaneFound {
  const scores = scoresOf?.(slots) ?? new Float64Array(slots.length);
  const shares = shareOf && new Float64Array(slots.length);
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!;
    if (!scoresOf) scores[place] = scoreOf(slot);
    if (shares && scores[place]! > 0) shares[place] = shareOf(slot).value;
  }
  return {
    scores,
    ranked: entries.flatMap(({ slot }) => places.get(slot) ?? []),
    best,
    ...(shares && { shares }),
    ...(median !== undefined && { median }),
    ...(bound !== undefined && { bound }),
    ...(idf && { idf }),
  };
}

/** Makes the test that a parent must pass to be shown: none of its passages has an excluded word. */
function parentTest(
  query: ParsedQuery,
  { catalog, keyword }: Known,
): (document: number, parent: string) => boolean {
  if (query.excludedTerms.length + query.excludedPhrases.length === 0) return () => true;
  const { mask } = keyword.constraintMask({ ...query, required: [], phrases: [] });
  return (document, parent) =>
    catalog.slotsOf(document).every((slot) => catalog.parentOf(slot) !== parent || mask?.[slot] === 1);
}
