/** Paths inside a collection: segments with `/` between them. */

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
