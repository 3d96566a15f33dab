/** All or nothing: runs work between BEGIN and COMMIT. */
import type { DatabaseSync } from 'node:sqlite';
import { requireKnownFormat } from './format.ts';

/**
 * Takes the write lock at once, so that work never fails half-way because another process writes; nor can another one change
 * the format before it ends. Within another transaction it is a part of that.
 * @throws DocfuseError `index_newer`
 */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('BEGIN IMMEDIATE');
  try {
    requireKnownFormat(database);
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has already rolled back after some errors (a full disk); the first error is the one to tell.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
