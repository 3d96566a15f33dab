/** Runs work in a transaction: either all writes of the work are stored, or none. */
import type { DatabaseSync } from 'node:sqlite';
import { requireKnownFormat } from './format.ts';

/**
 * Takes SQLite's write lock at the start: no other process can then make `work` fail half-way by writing, or change the format.
 * Inside another transaction, `work` becomes part of it.
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
    // After some errors, such as a full disk, SQLite has rolled back already. A second ROLLBACK would hide the first error.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
