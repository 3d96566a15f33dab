/** Reads path filters as typed in a shell: relative to the working directory, like the paths of hits. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, type PlatformPath, posix, sep, win32 } from 'node:path';
import type { IndexLocation } from '../../engine/config/locate-index.ts';
import { pathInside } from '../../engine/path-inside.ts';

/**
 * Makes typed paths into a collection absolute, because a server runs in another folder. These begin with `./`, `../` or the
 * path of a collection below the working directory. Other paths count as paths inside the collections.
 * @param system how the system writes paths; with the separator `\\`, a glob has no escapes
 */
export function fromHere(
  input: Readonly<Record<string, unknown>>,
  location: () => IndexLocation,
  cwd: string,
  system: PlatformPath = sep === '/' ? posix : win32,
): Record<string, unknown> {
  const filters = input.filters as Readonly<Record<string, unknown>> | undefined;
  const { path: wanted, exclude } = (filters ?? {}) as Readonly<
    Record<string, readonly string[] | undefined>
  >;
  if (!wanted && !exclude) return { ...input };
  const roots = location()
    .config.collections.filter(({ kind }) => kind !== 'git')
    .map(({ root }) => root);
  const isInside = (inner: string, folder: string) => pathInside(folder, inner, system) !== undefined;
  const place = (given: string) => {
    // A hit is printed as path:line.
    const bare = given.replace(/:\d+(-\d+)?$/, '');
    const typed =
      !existsSync(system.resolve(cwd, given)) && existsSync(system.resolve(cwd, bare)) ? bare : given;
    const pattern = system.sep === '/' ? typed : typed.replaceAll(system.sep, '/');
    const there = system.resolve(cwd, pattern);
    const isDotted = /^\.{1,2}(?:\/|$)/.test(pattern);
    const isMeant = (root: string) =>
      isInside(there, root) && (isDotted || (root !== cwd && isInside(root, cwd)));
    const isPrinted = typed !== given && roots.some((root) => isInside(there, root));
    return isPrinted || roots.some(isMeant) ? there : pattern;
  };
  return {
    ...input,
    filters: {
      ...filters,
      ...(wanted && { path: wanted.map(place) }),
      ...(exclude && { exclude: exclude.map(place) }),
    },
  };
}

/** Keeps a question to some folders of its index: to all of them, or to the typed paths in them. @param within absolute */
export function narrowTo(
  input: Readonly<Record<string, unknown>>,
  within: readonly string[],
): Record<string, unknown> {
  const {
    path = [''],
    exclude,
    ...filters
  } = (input.filters ?? {}) as Readonly<Record<string, readonly string[] | undefined>>;
  const inside = (typed: string) =>
    isAbsolute(typed) ? [typed] : within.map((folder) => join(folder, typed));
  return {
    ...input,
    filters: { ...filters, path: path.flatMap(inside), ...(exclude && { exclude: exclude.flatMap(inside) }) },
  };
}
