/** Converts filters to tests of stored keys, for databases that compare keys but cannot run our code. */
import type { Filters } from '../model/query.ts';
import { barePath, type FilterableDocument, GLOB, namesIn, normalize, normalizeTag } from './filter.ts';

/** The keys of a document that filters compare. */
export interface FilterKeys {
  readonly collection: string;
  /** The path, and every folder above it; each also with the name of the collection in front. */
  readonly scopes: readonly string[];
  /** Each tag, and the tags that it is nested in. */
  readonly tags: readonly string[];
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly modified: number;
}

/** `any` lists values. The document must have at least one of them under `key`, or none of them if `negated`. */
export interface KeyTest {
  readonly key: Exclude<keyof FilterKeys, 'modified'>;
  readonly any: readonly string[];
  readonly negated: boolean;
}

export function filterKeys(document: FilterableDocument): FilterKeys {
  const { collection, path, tags, author, category, modified } = document;
  return {
    collection,
    scopes: [path, `${collection}/${path}`].flatMap((each) => scopesOf(each.normalize('NFC'))),
    tags: [...new Set(tags.map(normalizeTag).flatMap(scopesOf))],
    authors: namesIn(author),
    categories: namesIn(category),
    modified,
  };
}

/** Returns key tests; `rest` has filters that keys cannot decide, such as globs and front matter. Ignores dates and languages. */
export function keyTests(filters: Filters): { readonly tests: readonly KeyTest[]; readonly rest: Filters } {
  const { path, exclude, where } = filters;
  const test = (key: KeyTest['key'], any: readonly string[] = [], negated = false): readonly KeyTest[] =>
    any.length === 0 ? [] : [{ key, any, negated }];
  const isPlain = (patterns: readonly string[] = []) => patterns.every((pattern) => scopeOf(pattern));
  const [plainPath, plainExclude] = [isPlain(path), isPlain(exclude)];
  const scopes = (patterns: readonly string[] = []) => patterns.map((pattern) => scopeOf(pattern)!);
  return {
    tests: [
      ...test('collection', filters.collection),
      ...(plainPath ? test('scopes', scopes(path)) : []),
      ...(plainExclude ? test('scopes', scopes(exclude), true) : []),
      ...test('tags', filters.tag?.map(normalizeTag)),
      ...test('tags', filters.notTag?.map(normalizeTag), true),
      ...test('categories', filters.category?.map(normalize)),
      ...test('categories', filters.notCategory?.map(normalize), true),
      ...test('authors', filters.author?.map(normalize)),
      ...test('authors', filters.notAuthor?.map(normalize), true),
    ],
    rest: {
      ...(!plainPath && path && { path }),
      ...(!plainExclude && exclude && { exclude }),
      ...(where?.length && { where }),
    },
  };
}

/** `a/b/c` → `a`, `a/b`, `a/b/c` */
function scopesOf(path: string): readonly string[] {
  return path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
}

/**
 * Returns the folder or file that a pattern names; undefined for a glob, for a path with lines (`a.md:4-8`), and for a pattern that
 * matches all paths.
 */
function scopeOf(pattern: string): string | undefined {
  const path = barePath(pattern);
  return path === '' || path === '.' || GLOB.test(path) || /:\d+(?:-\d+)?$/.test(path) ? undefined : path;
}
