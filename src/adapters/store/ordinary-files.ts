/** What an index needs from the file system: ordinary files in a private folder, and rights to them. */
import { accessSync, existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';

/** Files that SQLite makes beside a database, and the database itself. */
export const DATABASE_FILES = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Refuses folders, pipes and devices where a file of an index belongs: opening a named pipe would wait for ever.
 * @param file a database, which need not be there
 * @throws DocfuseError `storage` naming what is in the way
 */
export function requireOrdinaryFiles(file: string): void {
  for (const each of DATABASE_FILES.map((suffix) => file + suffix)) {
    const kind = kindOf(statSync(each, { throwIfNoEntry: false }));
    if (kind !== undefined)
      throw new DocfuseError(
        'storage',
        `${each} is ${kind}, where a file of the index belongs.`,
        'Move it away, or choose another place for the index.',
      );
  }
}

/** @returns undefined for a file, and if nothing is there */
function kindOf(stats: Stats | undefined): string | undefined {
  if (stats === undefined || stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** @param mode of `fs.constants`, such as `W_OK` */
export function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder that only its owner can read, one level at a time: `recursive` of Node 24 never ends in `/proc`, where nothing can be made. */
export function makePrivateFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) makeOne(each);
}

/** Makes a folder, unless another process has made it meanwhile. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
