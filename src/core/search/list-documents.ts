/** Stage: answers filters that come without words, with the first passage worth showing of every document they let through. */
import { documentFilter, languageFilter } from '../query/filter.ts';
import { isAhead } from '../rank/recency.ts';
import { compareText } from '../text/compare-text.ts';
import type { Candidate, SearchRequest, SearchServices, SearchState } from './state.ts';

/** Whether the query has filters and no words. */
export function isListing({ query, filters, hypothesis }: SearchRequest): boolean {
  if (hypothesis !== undefined || query.plain !== '') return false;
  return [filters, query.filters].some((each) => documentFilter(each) ?? languageFilter(each));
}

/** Newest first, future dates last, then by id. All match what was asked, so all are sure. */
export async function listDocuments(state: SearchState, { retrieval }: SearchServices): Promise<SearchState> {
  const { query, filters, now, explain } = state.request;
  const found = await retrieval.list({ query, filters });
  const documents = await retrieval.documents(found.documents);
  const isLater = (place: number) => Number(isAhead(found.modified[place]!, now));
  const idOf = (place: number) => documents[place]?.id ?? '';
  const order = [...found.slots.keys()].sort(
    (a, b) =>
      isLater(a) - isLater(b) || found.modified[b]! - found.modified[a]! || compareText(idOf(a), idOf(b)),
  );
  const explanation = explain ? [{ label: 'passes the filters', value: 1 }] : [];
  const sure = { fused: 1, evidence: 1, score: 1, trust: 'high' as const, explanation };
  const candidates = order.map(
    (place): Candidate => ({
      ...sure,
      slot: found.slots[place]!,
      id: found.ids[place]!,
      document: found.documents[place]!,
      place,
    }),
  );
  return { ...state, found, candidates };
}
