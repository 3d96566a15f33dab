/** Stage: answers filters that come without words, with the first passage worth showing of every document they let through. */
import type { CatalogDocument } from '../indexes/catalog.ts';
import { documentFilter, languageFilter } from '../query/filter.ts';
import { isAhead } from '../rank/recency.ts';
import { compareText } from '../text/compare-text.ts';
import type { Candidate, SearchRequest, SearchServices, SearchState } from './state.ts';

/** Whether nothing is asked but to narrow. */
export function isListing({ query, filters, hypothesis }: SearchRequest): boolean {
  if (hypothesis !== undefined || query.plain !== '') return false;
  return [filters, query.filters].some((each) => documentFilter(each) ?? languageFilter(each));
}

/** Newest first, what is dated ahead last, then by id. All are what was asked for, so all are sure. */
export function listDocuments(state: SearchState, { catalog }: SearchServices): SearchState {
  const { mask, request } = state;
  const isLater = (document: CatalogDocument) => Number(isAhead(document.modified, request.now));
  const documents = [...catalog.all()].sort(
    (a, b) => isLater(a) - isLater(b) || b.modified - a.modified || compareText(a.id, b.id),
  );
  const candidates = documents.flatMap(({ number }): Candidate[] => {
    const slot = catalog
      .slotsOf(number)
      .find((each) => (mask === undefined || mask[each] === 1) && catalog.isShown(each));
    if (slot === undefined) return [];
    const explanation = request.explain ? [{ label: 'passes the filters', value: 1 }] : [];
    const sure = { fused: 1, evidence: 1, score: 1 };
    return [{ slot, id: catalog.idOf(slot), document: number, place: 0, ...sure, explanation }];
  });
  return { ...state, candidates };
}
