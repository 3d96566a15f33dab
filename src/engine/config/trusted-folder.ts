/** Whether a folder is one that the user has listed as trusted. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { pathInside, realPath } from '../path-inside.ts';

/** A folder as people write it in `trust`: absolute, or below their home as `~` or `~/notes`. */
export function isPlainFolder(folder: string): boolean {
  return isAbsolute(folder) || /^~([\\/]|$)/.test(folder);
}

/**
 * Whether a folder is listed, or lies in one that is. Links are followed on both sides, so that neither a link in a listed folder
 * nor another way to write it counts.
 * @param path absolute
 * @param listed as `isPlainFolder` wants them
 */
export function isTrustedFolder(path: string, listed: readonly string[]): boolean {
  const folder = realPath(path);
  return listed.some((each) => pathInside(realPath(expandHome(each)), folder) !== undefined);
}

function expandHome(folder: string): string {
  return folder.startsWith('~') ? join(homedir(), folder.slice(1)) : resolve(folder);
}
