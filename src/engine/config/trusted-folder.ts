/** Checks whether the user has listed a folder as trusted. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { pathInside, realPath } from '../path-inside.ts';

/** Whether `trust` may list this path: absolute, `~`, or below the home folder, such as `~/notes`. */
export function isPlainFolder(folder: string): boolean {
  return isAbsolute(folder) || /^~([\\/]|$)/.test(folder);
}

/**
 * Whether a folder is listed or lies in a listed folder. Symbolic links of both paths are resolved first: a link from a listed
 * folder to a folder elsewhere is not trusted, and a listed folder is trusted under any of its paths.
 * @param path absolute
 * @param listed paths for which `isPlainFolder` is true
 */
export function isTrustedFolder(path: string, listed: readonly string[]): boolean {
  const folder = realPath(path);
  const full = listed.map((each) => (each.startsWith('~') ? join(homedir(), each.slice(1)) : resolve(each)));
  return full.some((each) => pathInside(realPath(each), folder) !== undefined);
}
