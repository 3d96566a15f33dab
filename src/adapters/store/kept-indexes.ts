/** Lists and deletes the indexes in the subfolders of one folder, and takes vectors from them. */
import { existsSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DocfuseError } from '../../core/errors.ts';
import { originOf } from './folder-place.ts';
import { checkFormat } from './format.ts';
import { INDEX_FILE, indexFiles, namesIn, requireOrdinaryFiles } from './index-files.ts';
import { acquireWriteLock } from './lock.ts';
import { placeWithoutTrace, removeDatabase } from './open-database.ts';
import { unfinished } from './renew-database.ts';
import { isLocked } from './sqlite-errors.ts';
import { vectorTables } from './vector-tables.ts';

export type KeptIndex = Readonly<ReturnType<typeof keptIndexes>[number]>;

/**
 * Lists the indexes. Writes nothing, not even a log of SQLite: a log would make the folder look used.
 * @returns ordered by name, with absolute paths; empty if the folder is missing
 */
export function keptIndexes(parent: string) {
  return namesIn(parent)
    .toSorted()
    .flatMap((name) => {
      const folder = join(parent, name);
      const files = indexFiles(folder);
      if (files.length === 0) return [];
      const stats = [folder, ...files].flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []);
      return {
        name,
        folder,
        /** Absolute paths of the indexed folders and files; empty if the index cannot be read. */
        roots: originOf(join(folder, INDEX_FILE)).roots,
        /** Size of all files of the index. */
        bytes: stats.filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0),
        /** Time when the index was last opened or written, in milliseconds since 1970. */
        used: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)),
      };
    });
}

/**
 * Deletes the files of an index, then its folder if that is empty.
 * @throws DocfuseError `index_busy` while another process has the index open, `storage`
 */
export async function removeKeptIndex(folder: string): Promise<void> {
  const file = join(folder, INDEX_FILE);
  const lock = await acquireWriteLock(file, { waitMs: 0 });
  try {
    if (isOpenElsewhere(file)) {
      throw new DocfuseError(
        'index_busy',
        `Another process has the index ${file} open.`,
        'Stop that process first. It may be docfuse mcp, started by an assistant.',
      );
    }
    removeDatabase(unfinished(file));
    removeDatabase(file);
  } finally {
    lock.release();
  }
  removeDatabase(`${file}.lock`);
  rmSync(join(folder, 'server.json'), { force: true });
  if (namesIn(folder).length === 0) rmdirSync(folder);
}

/**
 * Whether another process has the database open. With a write-ahead log, each such process keeps a lock on the database. False
 * for a damaged database.
 */
function isOpenElsewhere(file: string): boolean {
  if (!existsSync(file)) return false;
  requireOrdinaryFiles(file);
  try {
    using database = new DatabaseSync(file, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    return isLocked(error);
  }
}

/** Returns a function for each index in the subfolders of `parent` that `isWanted`. It gives the vectors of some keys. */
export function lendersIn(parent: string, isWanted: (index: KeptIndex) => boolean) {
  const wanted = keptIndexes(parent).filter(isWanted);
  return wanted.map(({ folder }) => lenderOf(join(folder, INDEX_FILE)));
}

function lenderOf(file: string) {
  /** @throws DocfuseError, RangeError or an error of SQLite if the index is locked, damaged or of another version */
  return (model: string, keys: Iterable<string>): ReadonlyMap<string, Float32Array> => {
    using database = new DatabaseSync(placeWithoutTrace(file), { readOnly: true, timeout: 0 });
    if (checkFormat(database, file) !== 'present') throw new RangeError(`${file} has an older format`);
    const { slotsOfVectorKeys, vector } = vectorTables(database);
    const vectors = new Map<string, Float32Array>();
    for (const key of keys) {
      const [slot] = slotsOfVectorKeys([key]);
      const found = slot === undefined ? undefined : vector(model, slot);
      if (found) vectors.set(key, found);
    }
    return vectors;
  };
}
