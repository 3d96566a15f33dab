/** Converts absolute paths to paths in a collection, because people paste absolute paths. */
import { isAbsolute, sep } from 'node:path';
import type { Filters } from '../../core/model/query.ts';
import { pathInside } from '../path-inside.ts';
import type { CollectionRoot } from '../workspace/workspace-parts.ts';

/** Converts absolute paths in `path` and `exclude` filters to `collection/path`, if they are under a collection's root. */
export function withinCollections(filters: Filters, collections: readonly CollectionRoot[]): Filters {
  const { path, exclude } = filters;
  const place = (pattern: string) =>
    (isAbsolute(pattern) ? placeInCollections(pattern, collections) : undefined) ?? pattern;
  return {
    ...filters,
    ...(path && { path: path.map(place) }),
    ...(exclude && { exclude: exclude.map(place) }),
  };
}

/** Returns `collection/path` of an absolute path, and `collection` for its root; undefined outside all collections. */
export function placeInCollections(
  absolute: string,
  collections: readonly CollectionRoot[],
): string | undefined {
  for (const { name, root, kind } of collections) {
    const inside = kind === 'git' ? undefined : pathInside(root, absolute);
    if (inside !== undefined) return [name, ...inside.split(sep)].filter(Boolean).join('/');
  }
  return undefined;
}
