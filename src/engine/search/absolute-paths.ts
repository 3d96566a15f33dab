/** Converts absolute paths, which people paste, to paths in a collection, and documents to absolute paths. */
import { basename, isAbsolute, join, sep } from 'node:path';
import type { Filters } from '../../core/model/query.ts';
import { isArchive, isFolder, pathInside } from '../path-inside.ts';
import type { OpenCollection } from '../workspace/workspace-parts.ts';

type Rooted = Pick<OpenCollection, 'name' | 'kind' | 'root'>;

/** Converts absolute paths in `path` and `exclude` filters to `collection/path`, if they are under a collection's root. */
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

/** Returns `collection/path` of an absolute path, and `collection` for its root; undefined outside all collections. */
export function placeInCollections(absolute: string, collections: readonly Rooted[]): string | undefined {
  for (const { name, root, kind } of collections) {
    const inside = kind === 'git' ? undefined : pathInside(root, absolute);
    if (inside !== undefined) return [name, ...inside.split(sep)].filter(Boolean).join('/');
  }
  return undefined;
}

/** Makes a function that returns the absolute path of a document; undefined for a commit, and for a file in an archive. */
export function createFileOf(
  collections: readonly Pick<OpenCollection, 'name' | 'kind' | 'root'>[],
): (document: { readonly collection: string; readonly path: string }) => string | undefined {
  const roots = new Map(
    collections.flatMap(({ name, kind, root }) => (kind === 'git' || isArchive(root) ? [] : [[name, root]])),
  );
  return ({ collection, path }) => {
    const root = roots.get(collection);
    if (root === undefined) return undefined;
    // The root of a collection may be one file.
    return basename(root) === path && !isFolder(root) ? root : join(root, path);
  };
}
