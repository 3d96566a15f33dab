/** Paths as people paste them: an absolute one means the same file or folder as the path in its collection. */
import { isAbsolute, relative, sep } from 'node:path';
import type { Filters } from '../../core/model/query.ts';

interface Rooted {
  readonly name: string;
  readonly kind: 'folder' | 'corpus' | 'git';
  /** Absolute. */
  readonly root: string;
}

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
    const inside = relative(root, pattern);
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) continue;
    return [name, ...inside.split(sep)].filter((part) => part !== '').join('/');
  }
  return pattern;
}
