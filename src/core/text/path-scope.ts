/** Which paths are meant when some files and folders are named. */
import type { PathScope } from '../model/document.ts';

/** @param paths with `/`; the empty one means everything */
export function createPathScope(paths: Iterable<string>): PathScope {
  const named = new Set(paths);
  const above = new Set([...named].flatMap((path) => [...foldersOf(path)]));
  const everything = named.has('');
  return {
    covers(path) {
      if (everything || named.has(path)) return true;
      return foldersOf(path).some((folder) => named.has(folder));
    },
    leadsInto: (folder) => everything || above.has(folder),
  };
}

/** The folders a path lies in, outermost first; the root is the empty one. */
function foldersOf(path: string): string[] {
  const folders = path === '' ? [] : [''];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}
