/** Paths as people paste them: an absolute one means the same file or folder as the path in its collection. */
import { isAbsolute, sep } from 'node:path';
import type { Filters } from '../../core/model/query.ts';
import { pathInside } from '../path-inside.ts';
import type { OpenCollection } from '../workspace/workspace-parts.ts';

type Rooted = Pick<OpenCollection, 'name' | 'kind' | 'root'>;

/** Absolute `path` and `exclude` filters under a collection's root, as `collection/path`; all else as it is. */
export function withinCollections(filters: Filters, collections: readonly Rooted[]): Filters {
  const { path, exclude } = filters;
  const place = (pattern: string) =>
    (isAbsolute(pattern) ? placeInCollections(pattern, collections) : undefined) ?? pattern;
  return {
    ...filters,
    ...(path && { path: path.map(place) }),
    ...(exclude && { exclude: exclude.map(place) }),
  };
}

/** `collection/path` of an absolute path, the collection alone for its root; undefined outside of all of them. */
export function placeInCollections(absolute: string, collections: readonly Rooted[]): string | undefined {
  for (const { name, root, kind } of collections) {
    const inside = kind === 'git' ? undefined : pathInside(root, absolute);
    if (inside !== undefined) return [name, ...inside.split(sep)].filter(Boolean).join('/');
  }
  return undefined;
}
