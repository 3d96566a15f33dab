/** An index in a folder: the place where its database, its lock and its unfinished renewal lie. */
import { accessSync, constants, existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { IndexEdition, IndexPlace, IndexRights } from '../../core/storage.ts';
import { acquireWriteLock } from './lock.ts';
import { isOutdated, removeDatabase } from './open-database.ts';
import { renewDatabase, unfinished } from './renew-database.ts';
import { rewriteDatabase } from './rewrite-database.ts';
import { openSqliteStore } from './sqlite-store.ts';

export const INDEX_FILE = 'index.sqlite';

/**
 * Other files in the folder are left alone.
 * @param ownerOf names the other user whom a file belongs to; undefined for one's own
 */
export function createFolderPlace(folder: string, ownerOf: (file: string) => string | undefined): IndexPlace {
  const file = join(folder, INDEX_FILE);

  /** The files of the index, side files and lock among them, that belong to another user. */
  function foreignFile(): { readonly file: string; readonly owner: string } | undefined {
    for (const name of namesIn(folder)) {
      const owner = name.startsWith(INDEX_FILE) ? ownerOf(join(folder, name)) : undefined;
      if (owner !== undefined) return { file: join(folder, name), owner };
    }
    return undefined;
  }

  return {
    name: file,
    edition: () => editionOf(file),
    isOutdated: () => isOutdated(file),
    open: () => openSqliteStore(file, foreignFile() && { readOnly: true }),
    openEmpty: () => openSqliteStore(':memory:'),
    async lock(options) {
      // Text that is written to a file of another user is theirs to read.
      const foreign = foreignFile();
      if (!foreign) return acquireWriteLock(file, options);
      throw new DocfuseError(
        'storage',
        `${foreign.file} belongs to ${foreign.owner}, not to you, so nothing is written to this index.`,
        'Choose another place for the index, or have its owner bring it up to date.',
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

/** The folder and those of its files that anybody but their owner has some right to. */
function openToOthers(folder: string): readonly string[] {
  if (process.platform === 'win32') return []; // rights are kept in other ways there
  const files = globSync(`${INDEX_FILE}*`, { cwd: folder }).map((name) => join(folder, name));
  return [folder, ...files].filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & 0o077) !== 0;
  });
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
