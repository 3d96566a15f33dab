/** Paths of filters as they are typed in a shell, where a hit is shown as seen from the working directory. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { IndexLocation } from '../../engine/locate-index.ts';

/**
 * Filters by path in which what lies in a collection, seen from the working directory, is absolute, for a server runs elsewhere. That is a path
 * that begins with `./` or `../`, or with the way to a collection below; any other is one inside the collections.
 */
export function fromHere(
  input: Readonly<Record<string, unknown>>,
  location: () => IndexLocation,
  cwd: string,
): Record<string, unknown> {
  const filters = input.filters as Readonly<Record<string, unknown>> | undefined;
  const { path, exclude } = (filters ?? {}) as Readonly<Record<string, readonly string[] | undefined>>;
  if (!path && !exclude) return { ...input };
  const roots = location()
    .config.collections.filter(({ kind }) => kind !== 'git')
    .map(({ root }) => root);
  const place = (pattern: string) => {
    const there = resolve(cwd, pattern);
    const isDotted = /^\.{1,2}(?:\/|$)/.test(pattern);
    const isMeant = (root: string) =>
      isInside(there, root) && (isDotted || (root !== cwd && isInside(root, cwd)));
    return roots.some(isMeant) ? there : pattern;
  };
  return {
    ...input,
    filters: {
      ...filters,
      ...(path && { path: path.map(place) }),
      ...(exclude && { exclude: exclude.map(place) }),
    },
  };
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
