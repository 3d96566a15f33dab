/** Stage: works out which slots the answer may come from, before any retriever takes its top k. */
import { documentFilter, languageFilter } from '../query/filter.ts';
import type { SearchServices, SearchState } from './state.ts';

/** Filters of the call and those of the query syntax both hold; then phrases, required and excluded words. */
export function narrow(state: SearchState, { catalog, keyword }: SearchServices): SearchState {
  const { query, filters } = state.request;
  const filtered = catalog.mask(
    both(documentFilter(filters), documentFilter(query.filters)),
    both(languageFilter(filters), languageFilter(query.filters)),
  );
  const { mask, relaxed } = keyword.constraintMask(query, filtered);
  return { ...state, mask, relaxed };
}

type Test<T> = (value: T) => boolean;

function both<T>(a: Test<T> | undefined, b: Test<T> | undefined): Test<T> | undefined {
  return a && b ? (value) => a(value) && b(value) : (a ?? b);
}
