/** Says which filters let nothing through, and what was perhaps meant. */
import type { Catalog } from '../../core/indexes/catalog.ts';
import { describeFilters, type NamedFilter } from '../../core/query/describe-filters.ts';
import { documentFilter, languageFilter } from '../../core/query/filter.ts';
import type { SearchRequest } from '../../core/search/state.ts';
import { nearest } from '../nearest.ts';

type Filter = NamedFilter['filter'];

/** Names the filters that exclude everything by themselves, else those that do so together. */
export function nothingPasses(
  { filters, query }: Pick<SearchRequest, 'filters' | 'query'>,
  catalog: Catalog,
): string {
  const named = [...describeFilters(filters), ...describeFilters(query.filters)];
  const empty = named.filter(({ filter }) => isEmpty(filter, catalog));
  if (empty.length > 0) {
    return `No document passes the filter ${empty.map((each) => withNearest(each, catalog)).join(', ')}.`;
  }
  if (named.length > 0 && isEmpty(filters, catalog, query.filters)) {
    return `No document passes all the filters ${named.map(({ name }) => name).join(', ')}.`;
  }
  if (query.required.length > 0) {
    const titles = query.required.map(({ surface }) => `title:${surface}`).join(', ');
    const isExcluded = query.excludedTerms.length + query.excludedPhrases.length > 0;
    return `No document${named.length > 0 ? ' that passes the filters' : ''} has ${titles}${isExcluded ? ' without what the query excludes' : ''}.`;
  }
  return 'Every passage holds a word that the query excludes.';
}

/** Whether no passage is left when all of these hold. */
function isEmpty(filters: Filter, catalog: Catalog, more: Filter = {}): boolean {
  const all = [filters, more];
  const mask = catalog.mask(all.map(documentFilter), all.map(languageFilter));
  return mask?.every((allowed) => allowed === 0) ?? false;
}

function withNearest({ name, filter }: NamedFilter, catalog: Catalog): string {
  const meant = KEYS.flatMap((key) => {
    const known = new Set(valuesOf(key, catalog));
    const values = (filter[key] ?? []).flatMap((value) =>
      key === 'path' ? nearestPath(value, known) : nearest(value.replace(/^#/, ''), known),
    );
    return describeFilters({ [key]: values }).map((each) => each.name);
  });
  return meant.length === 0 ? name : `${name} (nearest: ${meant.join(', ')})`;
}

/** Filters whose values are names from the documents. */
const KEYS = ['collection', 'path', 'tag', 'category', 'author', 'lang'] as const;

function valuesOf(key: (typeof KEYS)[number], catalog: Catalog): readonly string[] {
  if (key === 'lang') return [...catalog.languages()];
  return [...catalog.all()].flatMap((document) => {
    // `a/b` is found by `a`, and several authors are kept as one text.
    if (key === 'tag') return document.tags.flatMap((tag) => [tag, ...foldersOf(tag)]);
    if (key === 'author') return document.author?.split(',').map((name) => name.trim()) ?? [];
    if (key === 'path') return [...foldersOf(document.path), document.path];
    return document[key] ?? [];
  });
}

/** A folder may be named without those it lies in. */
function nearestPath(wrong: string, known: ReadonlySet<string>): string[] {
  const path = wrong.replace(/^(?:\.?\/)+|\/+$/g, '');
  const deeper = [...known].filter((each) => each.endsWith(`/${path}`)).sort((a, b) => a.length - b.length);
  return deeper.length > 0 ? deeper.slice(0, 1) : nearest(path, known);
}

/** `a/b/c` → `a`, `a/b` */
function foldersOf(tag: string): readonly string[] {
  const parts = tag.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
