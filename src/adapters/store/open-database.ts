/** Opens the SQLite file of an index with the settings that make it safe and fast. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DocfuseError } from '../../core/errors.ts';
import { checkFormat } from './format.ts';
import { DATABASE_FILES, isAllowed, makePrivateFolder, requireOrdinaryFiles } from './index-files.ts';
import { APPLICATION_ID, FORMAT, PAGE_SIZE, TABLES } from './schema.ts';
import { transaction } from './transaction.ts';

const MEMORY = ':memory:';

/** Maximum time that a statement waits for another process's transaction. Transactions of docfuse take milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Size of SQLite's own page cache. The operating system caches the rest: with 32 MiB, searching and indexing are no faster. */
const CACHE_KIB = 8_192;

/** SQLite copies a log of this many pages into the file. Rare copies are cheaper: many writes change the same pages. */
const LOG_PAGES = 8_000;

/**
 * Opens or makes a database.
 *
 * - Write-ahead log with `synchronous = NORMAL`: a killed process loses no committed data, and readers never wait for the
 *   writer. A power cut may undo the last transactions, but does not damage the file.
 * - No memory mapping: it would save 4 µs per vector, but the process would be killed if another program truncated the file.
 * - `secure_delete = ON` overwrites deleted data, also in free pages; `FAST` would not overwrite data in free pages.
 */
export function openDatabase(file: string, readOnly: boolean): DatabaseSync {
  if (file !== MEMORY) requireOrdinaryFiles(file);
  if (!readOnly) preparePrivateFile(file);
  else if (file !== MEMORY && !existsSync(file)) throw missing(`There is no index at ${file}.`);
  const database = new DatabaseSync(readOnly ? readablePlace(file) : file, {
    readOnly,
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  });
  try {
    const state = checkFormat(database, file);
    if (state === 'older') throw older(file);
    if (state === 'empty' && readOnly) throw missing(`The index ${file} is empty.`);
    database.exec(
      `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF`,
    );
    if (!readOnly) {
      for (const suffix of DATABASE_FILES) keepPrivate(file + suffix);
      database.exec(
        `PRAGMA page_size = ${PAGE_SIZE}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`,
      );
      if (state === 'empty') makeTables(database);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Makes the tables unless another process has made them since the check. */
function makeTables(database: DatabaseSync): void {
  transaction(database, () => {
    if (checkFormat(database, '') !== 'empty') return;
    database.exec(TABLES);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`);
  });
}

/** Whether `file` is an index in an older format. False for a file that cannot be read: opening it reports the reason. */
export function isOutdated(file: string): boolean {
  if (!existsSync(file)) return false;
  requireOrdinaryFiles(file);
  try {
    using database = new DatabaseSync(readablePlace(file), { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    return checkFormat(database, file) === 'older';
  } catch {
    return false;
  }
}

/**
 * Makes a file and its folder, readable only by their owner. An existing file or folder keeps its permissions. An existing file
 * is not opened: closing it would end the locks that this process has on it.
 */
export function preparePrivateFile(file: string): void {
  if (file === MEMORY) return;
  if (existsSync(file)) {
    accessSync(file, constants.W_OK);
    return;
  }
  makePrivateFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600)); // SQLite gives its side files the mode of this file
}

/**
 * Removes other users' rights to a file of the index; a copied file may grant such rights. The folder keeps its rights, because
 * it may contain other files, too.
 */
export function keepPrivate(file: string): void {
  if (process.platform === 'win32' || file === MEMORY) return;
  const stats = lstatSync(file, { throwIfNoEntry: false });
  // Ignore links: a link in a copied folder may lead to any file of the user.
  if (!stats?.isFile() || (stats.mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {} // the file belongs to another user; `doctor` reports this
}

/** Whether a file exists, but this process may not write to the file or its folder, as on a read-only medium. */
export function isWriteProtected(file: string): boolean {
  return existsSync(file) && ![file, dirname(file)].every((path) => isAllowed(path, constants.W_OK));
}

/**
 * Returns the place to open for reading. On a read-only medium, SQLite cannot make the shared-memory file that it needs. With a log
 * (`-wal`), that file exists already. A path is kept where it can be: SQLite refuses URLs of other machines.
 */
function readablePlace(file: string): string | URL {
  return isWriteProtected(file) && !existsSync(`${file}-wal`) ? placeWithoutTrace(file) : file;
}

/**
 * Returns the place to open for reading without making a file. If there is no log (`-wal`), no process has the index open, so
 * `immutable` is safe. Without it, SQLite would make a log, and the new file would make the folder look recently used.
 */
export function placeWithoutTrace(file: string): URL {
  const place = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) place.searchParams.set('immutable', '1');
  return place;
}

/** Deletes an index and its side files. The caller must hold the write lock. */
export function removeDatabase(file: string): void {
  requireOrdinaryFiles(file);
  removeSideFiles(file);
  rmSync(file, { force: true });
}

/** Deletes the side files of a database that is about to be replaced. */
export function removeSideFiles(file: string): void {
  for (const suffix of DATABASE_FILES) if (suffix !== '') rmSync(file + suffix, { force: true });
}

function missing(what: string): DocfuseError {
  return new DocfuseError('index_missing', what, 'Run `docfuse index` first.');
}

function older(file: string): DocfuseError {
  const isReadOnly = isWriteProtected(file);
  return new DocfuseError(
    'storage',
    `The index ${file} was made by an older docfuse${isReadOnly ? ', and you may not write to it' : ''}.`,
    isReadOnly
      ? 'Ask a user with write permission to run `docfuse index` with this version, or choose another place for the index.'
      : 'Run `docfuse index`: it rebuilds the index and keeps its vectors.',
  );
}
