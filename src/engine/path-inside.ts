/** Checks whether a path lies in a folder, and resolves its links. */
import { realpathSync } from 'node:fs';
import { dirname, type PlatformPath, posix, sep, win32 } from 'node:path';

/**
 * Returns the path relative to the folder, empty for the folder itself; undefined if the path is outside. Links are not resolved.
 * @param folder absolute
 * @param path absolute
 * @param system rules for paths. @default those of this system
 */
export function pathInside(
  folder: string,
  path: string,
  system: PlatformPath = sep === '/' ? posix : win32,
): string | undefined {
  const way = system.relative(folder, path);
  return way === '..' || way.startsWith(`..${system.sep}`) || system.isAbsolute(way) ? undefined : way;
}

/** Whether `root` is read with the folder `path`. Hidden folders and `node_modules` are not read as parts of another folder. */
export function holds(root: string, path: string): boolean {
  const names = pathInside(root, path)?.split(sep) ?? ['.'];
  return !names.some((name) => name.startsWith('.') || name === 'node_modules');
}

/** Returns the folder and all folders above it, the deepest first. @param folder absolute */
export function foldersUp(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}

/** Resolves the links in a path. Returns the path itself if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
