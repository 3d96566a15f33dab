/** Where a path lies: in which folder, and where its links lead. */
import { realpathSync } from 'node:fs';
import { type PlatformPath, posix, sep, win32 } from 'node:path';

/**
 * The way from the folder to the path, empty for the folder itself; undefined for a path that does not lie in it. Links are not
 * followed.
 * @param folder absolute, as the path is
 * @param system how paths are written. @default as on this system
 */
export function pathInside(
  folder: string,
  path: string,
  system: PlatformPath = sep === '/' ? posix : win32,
): string | undefined {
  const way = system.relative(folder, path);
  return way === '..' || way.startsWith(`..${system.sep}`) || system.isAbsolute(way) ? undefined : way;
}

/** The path without links; the path itself where nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
