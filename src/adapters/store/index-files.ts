/** The files of an index: their names, checks of their kind and permissions, and private folders for them. */
import { accessSync, existsSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';

export const INDEX_FILE = 'index.sqlite';

/** Suffixes of the database and of the files that SQLite makes beside it. */
export const DATABASE_FILES = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Refuses a folder, pipe or device at the path of an index file: opening a named pipe, for example, would never end. Also refuses
 * a file at the path of its folder.
 * @param file path of a database, which may be missing
 * @throws DocfuseError `storage` with the path and its kind
 */
export function requireOrdinaryFiles(file: string): void {
  const folder = dirname(file);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new DocfuseError(
      'storage',
      `${folder} is not a folder, but the index belongs there.`,
      'Choose another place for the index.',
    );
  for (const each of DATABASE_FILES.map((suffix) => file + suffix)) {
    const kind = kindOf(statSync(each, { throwIfNoEntry: false }));
    if (kind !== undefined)
      throw new DocfuseError(
        'storage',
        `${each} is ${kind}, but a file of the index belongs there.`,
        `Move ${each} to another folder, or choose another place for the index.`,
      );
  }
}

/** @returns undefined for an ordinary or missing file */
function kindOf(stats: Stats | undefined): string | undefined {
  if (stats === undefined || stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Returns the existing files of the index: database, side files and lock. */
export function indexFiles(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.startsWith(INDEX_FILE))
    .map((name) => join(folder, name));
}

/** Returns the names of the files in a folder; an empty list if the folder is missing or may not be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param mode a constant of `fs.constants`, such as `W_OK` */
export function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder that only its owner can read, one level at a time: with `recursive`, Node 24 never ends in `/proc`. */
export function makePrivateFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      // EEXIST: another process has just made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
