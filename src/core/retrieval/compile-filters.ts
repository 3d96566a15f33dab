/** Compiles what narrows a request into a mask of slots. */
import type { Constraint } from '../indexes/constraints.ts';
import type { Indexes } from '../lanes/lane.ts';
import { documentFilter, languageFilter } from '../query/filter.ts';
import type { Narrowing } from './retrieval.ts';

/** Filters of the call and those of the query syntax both hold; then phrases, required and excluded words. */
export function compileFilters(
  { query, filters }: Narrowing,
  { catalog, keyword }: Pick<Indexes, 'catalog' | 'keyword'>,
): Constraint {
  const filtered = catalog.mask(
    both(documentFilter(filters), documentFilter(query.filters)),
    both(languageFilter(filters), languageFilter(query.filters)),
  );
  return keyword.constraintMask(query, filtered);
}

type Test<T> = (value: T) => boolean;

function both<T>(a: Test<T> | undefined, b: Test<T> | undefined): Test<T> | undefined {
  return a && b ? (value) => a(value) && b(value) : (a ?? b);
}
