/** An index in a folder: the place of its database, its lock and its unfinished rebuild. */
import { constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DocfuseError } from '../../core/errors.ts';
import type { IndexEdition, IndexOrigin, IndexPlace, IndexRights } from '../../core/storage.ts';
import { INDEX_FILE, indexFiles, isAllowed, requireOrdinaryFiles } from './index-files.ts';
import { acquireWriteLock } from './lock.ts';
import { isOutdated, placeWithoutTrace, removeDatabase } from './open-database.ts';
import { renewDatabase, rewriteDatabase, unfinished } from './renew-database.ts';
import { guardAll } from './sqlite-errors.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { stateTable } from './state-table.ts';

/**
 * Makes the place of an index. It never changes other files in the folder.
 * @param ownerOf returns the owner of a file if it is another user, else undefined
 */
export function createFolderPlace(folder: string, ownerOf: (file: string) => string | undefined): IndexPlace {
  const file = join(folder, INDEX_FILE);

  /** Finds a file of the index that belongs to another user. */
  function foreignFile(): { readonly file: string; readonly owner: string } | undefined {
    for (const each of indexFiles(folder)) {
      const owner = ownerOf(each);
      if (owner !== undefined) return { file: each, owner };
    }
    return undefined;
  }

  return {
    name: file,
    edition: () => editionOf(file),
    // Do not open the database if another user owns a file of the index: opening may delete that file, and `lock` would not refuse.
    isOutdated: () => foreignFile() === undefined && isOutdated(file),
    origin: () => originOf(file),
    open: () => openSqliteStore(file, foreignFile() && { readOnly: true }),
    openFrozen: () => openSqliteStore(file, { readOnly: true, frozen: true }),
    ...guardAll(file, {
      openEmpty() {
        requireOrdinaryFiles(file);
        return openSqliteStore(':memory:');
      },
    }),
    async lock(options) {
      // Refuse, because the owner of a file can read everything that is written to it.
      const foreign = foreignFile();
      if (!foreign) return acquireWriteLock(file, options);
      throw new DocfuseError(
        'storage',
        `${foreign.file} belongs to ${foreign.owner}, not to you, so nothing is written to this index.`,
        'Choose another place for the index, or ask its owner to update it.',
      );
    },
    rewrite: () => rewriteDatabase(file),
    renew: (options) => renewDatabase(file, options),
    unfinished: () => (existsSync(unfinished(file)) ? unfinished(file) : undefined),
    removeUnfinished: () => removeDatabase(unfinished(file)),
    rights: () => rightsOf(folder, file),
  };
}

function editionOf(file: string): IndexEdition | undefined {
  if (!existsSync(file)) return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && { identity: String(stats.ino), written: `${stats.mtimeMs} ${existsSync(`${file}-wal`)}` };
}

function rightsOf(folder: string, file: string): IndexRights {
  const denied = (mode: number) => [folder, file].find((path) => existsSync(path) && !isAllowed(path, mode));
  const [unreadable, unwritable] = [denied(constants.R_OK), denied(constants.W_OK)];
  return {
    ...(unreadable !== undefined && { unreadable }),
    ...(unwritable !== undefined && { unwritable }),
    lockable: isAllowed(folder, constants.W_OK) || isAllowed(`${file}.lock`, constants.W_OK),
    shared: openToOthers(folder),
  };
}

/** Returns the folder and files of the index that other users may read, write or enter. */
function openToOthers(folder: string): readonly string[] {
  if (process.platform === 'win32') return []; // Windows keeps rights in access lists, not in the mode
  return [folder, ...indexFiles(folder)].filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & 0o077) !== 0;
  });
}

/** @returns empty lists if the index is damaged, or if its format stores these facts in another way */
export function originOf(file: string): IndexOrigin {
  const nothing: IndexOrigin = { roots: [], filled: [], mounts: [] };
  if (!existsSync(file)) return nothing;
  try {
    using database = new DatabaseSync(placeWithoutTrace(file), { readOnly: true });
    const { getState } = stateTable(database);
    const filled = database.prepare('SELECT DISTINCT collection FROM documents').all();
    return {
      roots: getState('roots') ?? [],
      filled: filled.map(({ collection }) => String(collection)),
      mounts: getState('mounts') ?? [],
    };
  } catch {
    return nothing;
  }
}
