/** Paths as people paste them: an absolute one means the same file or folder as the path in its collection. */
import { isAbsolute, sep } from 'node:path';
import type { Filters } from '../../core/model/query.ts';
import { pathInside } from '../path-inside.ts';
import type { OpenCollection } from '../workspace/workspace-parts.ts';

type Rooted = Pick<OpenCollection, 'name' | 'kind' | 'root'>;

/** Absolute `path` and `exclude` filters under a collection's root, as `collection/path`; all else as it is. */
export function withinCollections(filters: Filters, collections: readonly Rooted[]): Filters {
  const { path, exclude } = filters;
  const place = (pattern: string) => within(pattern, collections);
  return {
    ...filters,
    ...(path && { path: path.map(place) }),
    ...(exclude && { exclude: exclude.map(place) }),
  };
}

function within(pattern: string, collections: readonly Rooted[]): string {
  if (!isAbsolute(pattern)) return pattern;
  for (const { name, root, kind } of collections) {
    if (kind === 'git') continue;
    const inside = pathInside(root, pattern);
    if (inside === undefined) continue;
    return [name, ...inside.split(sep)].filter((part) => part !== '').join('/');
  }
  return pattern;
}
