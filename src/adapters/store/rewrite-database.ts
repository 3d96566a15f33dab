/** Writes an index afresh, so that no page keeps a trace of what was deleted. */
import { DatabaseSync } from 'node:sqlite';
import { BUSY_TIMEOUT_MS, preparePrivateFile, removeDatabase } from './open-database.ts';
import { copyInto, unfinished } from './renew-database.ts';
import { explainStorageError } from './sqlite-errors.ts';

/**
 * Only for the holder of the write lock; the index may be open. When SQLite moves rows from page to page it can leave a copy
 * of one in bytes that no longer count, which deleting the row does not reach. The new content is made beside the index, not
 * in the folder for temporary files, and copied over in one transaction: a process that is killed leaves the one or the other.
 * @throws DocfuseError `index_damaged`, `index_busy`, `storage`; the index then stays as it was
 */
export async function rewriteDatabase(file: string): Promise<void> {
  const fresh = unfinished(file);
  removeDatabase(fresh);
  try {
    preparePrivateFile(fresh);
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      database.prepare('VACUUM INTO ?').run(fresh);
    } finally {
      database.close();
    }
    await copyInto(file, fresh);
  } catch (error) {
    throw explainStorageError(error, file);
  } finally {
    removeDatabase(fresh);
  }
}
