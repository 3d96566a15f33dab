/**
 * The write lock of an index: one process writes at a time. A second process waits, then fails with the name of the first.
 *
 * The owner keeps a transaction open on a small database beside the index; the operating system locks that file. The lock ends
 * with the process, however the process ends, so there are no stale locks.
 */
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';
import type { WriteLock, WriteLockOptions } from '../../core/storage.ts';
import { requireOrdinaryFiles } from './index-files.ts';
import { keepPrivate, preparePrivateFile } from './open-database.ts';
import { explainStorageError, isLocked } from './sqlite-errors.ts';

const RETRY_MS = 50;

/**
 * Waits for the write lock of the index in `file`. The file `<file>.lock` stays after release: deleting it would cause a race
 * with other processes.
 * @throws DocfuseError `index_busy` naming the process that has the lock; `storage`; after an abort, the reason of `signal`
 */
export async function acquireWriteLock(file: string, options: WriteLockOptions = {}): Promise<WriteLock> {
  const { waitMs = 2_000, signal } = options;
  const lockFile = `${file}.lock`;
  const deadline = performance.now() + waitMs;
  const database = explaining(file, () => {
    requireOrdinaryFiles(lockFile);
    preparePrivateFile(lockFile);
    requireLock(lockFile);
    const opened = new DatabaseSync(lockFile, { timeout: 0 });
    // The lock file may be lost in a power cut, so writes need not be synced.
    opened.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
    keepPrivate(lockFile);
    return opened;
  });
  try {
    for (let tries = 1; !explaining(file, () => tryToLock(database)); tries++) {
      const owner = ownerOf(database);
      // At the first try, the file may still name the former owner, because the new owner has not written its name yet.
      const isHopeless = tries > 1 && owner !== undefined && hasItFor(owner, waitMs);
      if (isHopeless || performance.now() >= deadline) throw busy(file, owner);
      await sleep(RETRY_MS, undefined, { signal });
    }
  } catch (error) {
    database.close();
    signal?.throwIfAborted();
    throw error;
  }
  return {
    release() {
      if (database.isOpen) database.close(); // ends the transaction and the lock
    },
  };
}

/**
 * Tries once to get the lock. The first transaction commits the owner's name, so that other processes can read it while the
 * second transaction holds the lock.
 */
function tryToLock(database: DatabaseSync): boolean {
  try {
    database.exec(
      'BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS owner (pid INTEGER, host TEXT, since TEXT) STRICT',
    );
    database.exec('DELETE FROM owner');
    database
      .prepare('INSERT INTO owner VALUES (?, ?, ?)')
      .run(process.pid, hostname(), new Date().toISOString());
    database.exec('COMMIT');
    database.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    if (isLocked(error)) return false;
    throw error;
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

function ownerOf(database: DatabaseSync): Owner | undefined {
  try {
    return database.prepare('SELECT * FROM owner').get() as unknown as Owner | undefined;
  } catch {
    return undefined; // another process is writing the owner at this moment; the message then says "another process"
  }
}

/**
 * Whether the owner has held the lock for longer than `milliseconds`. False for an owner on another machine, because its clock
 * may differ.
 */
function hasItFor({ host, since }: Owner, milliseconds: number): boolean {
  return host === hostname() && Date.now() - Date.parse(since) > milliseconds;
}

function busy(file: string, owner: Owner | undefined): DocfuseError {
  const elsewhere = owner === undefined || owner.host === hostname() ? '' : ` on ${owner.host}`;
  const who =
    owner === undefined ? 'another process' : `process ${owner.pid}${elsewhere} since ${owner.since}`;
  return new DocfuseError(
    'index_busy',
    `The index ${file} is being written by ${who}.`,
    'Wait until it is done, then try again; searching works meanwhile.',
  );
}

/** Turns errors into DocfuseErrors. An unreadable lock file gets its own error: it does not mean that the index is damaged. */
function explaining<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const error = explainStorageError(cause, file);
    if (!(error instanceof DocfuseError) || error.code !== 'index_damaged') throw error;
    throw foreign(`${file}.lock`, cause);
  }
}

/** Refuses to write to another program's database, to which a link in a copied folder may lead. */
function requireLock(lockFile: string): void {
  using database = new DatabaseSync(lockFile, { readOnly: true, timeout: 0 });
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name <> 'owner' LIMIT 1").get())
      throw foreign(lockFile);
  } catch (error) {
    if (!isLocked(error)) throw error; // locked: another docfuse is writing its name
  }
}

function foreign(lockFile: string, cause?: unknown): DocfuseError {
  return new DocfuseError(
    'storage',
    `The lock file ${lockFile} was not made by docfuse.`,
    'Delete it and try again.',
    { cause },
  );
}
