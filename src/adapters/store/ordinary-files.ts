/** Refuses folders, pipes and devices where a file of an index belongs: opening a named pipe would wait for ever. */
import { type Stats, statSync } from 'node:fs';
import { DocfuseError } from '../../core/errors.ts';

/** Files that SQLite makes beside a database, and the database itself. */
export const DATABASE_FILES = ['', '-wal', '-shm', '-journal'] as const;

/**
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
