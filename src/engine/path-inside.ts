/** Checks whether a path lies in a folder, and resolves its links. */
import { existsSync, realpathSync, statSync } from 'node:fs';
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

/**
 * Whether reading the folder or archive `root` also reads `path`. Hidden folders, `node_modules` and archives are not read as parts
 * of a folder.
 */
export function holds(root: string, path: string): boolean {
  const names = pathInside(root, path)?.split(sep) ?? ['.'];
  return !names.some((name) => name.startsWith('.') || name === 'node_modules' || ARCHIVE.test(name));
}

/** Whether a root of the one list holds a root of the other. */
export function shareFiles(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => holds(one, other) || holds(other, one)));
}

const ARCHIVE = /\.zip$/i;

/** Whether a root is an archive: its name ends in `.zip`, and it is no folder. It may be missing. */
export function isArchive(root: string): boolean {
  return ARCHIVE.test(root) && !isFolder(root);
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Returns the outermost archive that `path` leads into, even if it is missing; undefined for other paths. @param path absolute */
export function archiveAbove(path: string): string | undefined {
  return foldersUp(dirname(path)).findLast(isArchive);
}

/** Whether a path leads into an archive that exists. @param path absolute */
export function isInArchive(path: string): boolean {
  return existsSync(archiveAbove(path) ?? '');
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
