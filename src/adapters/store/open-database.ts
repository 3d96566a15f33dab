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
import { DATABASE_FILES, isAllowed, makePrivateFolder, requireOrdinaryFiles } from './ordinary-files.ts';
import { APPLICATION_ID, FORMAT, PAGE_SIZE, TABLES } from './schema.ts';
import { transaction } from './transaction.ts';

const MEMORY = ':memory:';

/** How long a statement waits for another process's transaction; ours take milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Size of SQLite's own page cache. The operating system caches the rest. */
const CACHE_KIB = 32_768;

/** The log is copied into the file when it has this many pages. The same pages change often while much is written, so rare copies are cheaper. */
const LOG_PAGES = 8_000;

/**
 * Write-ahead log with `synchronous = NORMAL`: a killed process loses nothing that was committed, readers never
 * wait for the writer; a power cut may undo the last transactions but leaves the file sound. No memory mapping:
 * it would save 4 µs a vector, but a file cut short by another program would then kill the process. What is deleted is
 * overwritten (`secure_delete`), also in pages that are free: FAST would leave those.
 */
export function openDatabase(file: string, readOnly: boolean): DatabaseSync {
  if (file !== MEMORY) requireOrdinaryFiles(file);
  if (readOnly) requireFile(file);
  else preparePrivateFile(file);
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

/** Makes the tables, unless another process has made them meanwhile. */
function makeTables(database: DatabaseSync): void {
  transaction(database, () => {
    if (checkFormat(database, '') !== 'empty') return;
    database.exec(TABLES);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`);
  });
}

/** Whether an index of an older format is there. False for a file that cannot be read: opening it says what is wrong. */
export function isOutdated(file: string): boolean {
  if (!existsSync(file)) return false;
  requireOrdinaryFiles(file);
  const database = new DatabaseSync(readablePlace(file), { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    return checkFormat(database, file) === 'older';
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/**
 * Makes file and folder readable by their owner alone; those that exist keep their permissions. A file that exists is not
 * touched: closing it would end the locks that this process has on it.
 */
export function preparePrivateFile(file: string): void {
  if (file === MEMORY) return;
  if (existsSync(file)) {
    accessSync(file, constants.W_OK);
    return;
  }
  makePrivateFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600)); // SQLite gives its side files the mode of the main one
}

/**
 * Removes other users' rights to the index file, which a copy may have. An existing folder keeps its rights: it may
 * hold more than the index.
 */
export function keepPrivate(file: string): void {
  if (process.platform === 'win32' || file === MEMORY) return;
  const stats = lstatSync(file, { throwIfNoEntry: false });
  // A link that came with a folder may lead to any file of the user's.
  if (!stats?.isFile() || (stats.mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {
    // It belongs to another user; `doctor` reports it.
  }
}

/** Whether a file is there and it or its folder may not be written, as on a read-only medium. */
export function isWriteProtected(file: string): boolean {
  return existsSync(file) && ![file, dirname(file)].every((path) => isAllowed(path, constants.W_OK));
}

/**
 * On a read-only medium SQLite cannot create its shared-memory file, so it must be told that nobody writes.
 * If a log exists, somebody does write, and that file exists.
 */
function readablePlace(file: string): string | URL {
  if (!isWriteProtected(file) || existsSync(`${file}-wal`)) return file;
  const place = pathToFileURL(file);
  place.searchParams.set('immutable', '1');
  return place;
}

/** Deletes an index and its side files; only for the holder of the write lock. */
export function removeDatabase(file: string): void {
  requireOrdinaryFiles(file);
  removeSideFiles(file);
  rmSync(file, { force: true });
}

/** Deletes what belongs to a database that is about to be replaced. */
export function removeSideFiles(file: string): void {
  for (const suffix of DATABASE_FILES) if (suffix !== '') rmSync(file + suffix, { force: true });
}

function requireFile(file: string): void {
  if (file !== MEMORY && !existsSync(file)) throw missing(`There is no index at ${file}.`);
}

function missing(what: string): DocfuseError {
  return new DocfuseError('index_missing', what, 'Run `docfuse index` first.');
}

function older(file: string): DocfuseError {
  const isReadOnly = isWriteProtected(file);
  return new DocfuseError(
    'storage',
    `The index ${file} was made by an older docfuse${isReadOnly ? ' and may not be written here' : ''}.`,
    isReadOnly
      ? 'Have whoever may write it run `docfuse index` with this version, or choose another place for the index.'
      : 'Run `docfuse index`: it rebuilds the index and keeps its vectors.',
  );
}
