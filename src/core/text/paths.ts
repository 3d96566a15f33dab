/** Paths inside a collection: segments with `/` between them. */
import type { PathScope } from '../model/document.ts';

/** Returns the folder of a path: `a/b.md` → `a`; empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * Joins `path` to `folder`, and resolves `.` and `..`.
 * @returns undefined if the path is outside the collection
 */
export function joinPath(folder: string, path: string): string | undefined {
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of path.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

/**
 * Makes a scope of files and folders.
 * @param paths paths of the files and folders, with `/`; the empty path covers everything
 */
export function createPathScope(paths: Iterable<string>): PathScope {
  const named = new Set(paths);
  const above = new Set([...named].flatMap((path) => [...foldersOf(path)]));
  return {
    covers: (path) => named.has(path) || foldersOf(path).some((folder) => named.has(folder)),
    leadsInto: (folder) => named.has('') || above.has(folder),
  };
}

/** Returns the folders around a path, outermost first; the root is the empty path. */
function foldersOf(path: string): string[] {
  const folders = path === '' ? [] : [''];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}
