/** Writes all pages of an index again, so that no page keeps deleted data. */
import { DatabaseSync } from 'node:sqlite';
import { BUSY_TIMEOUT_MS, preparePrivateFile, removeDatabase } from './open-database.ts';
import { copyInto, unfinished } from './renew-database.ts';
import { explainStorageError } from './sqlite-errors.ts';

/**
 * Rewrites an index. The caller must hold the write lock; the index may be open. When SQLite moves rows from page to page, it
 * can leave copies in unused bytes, and deleting a row does not overwrite these copies. The new content is made beside the
 * index, not in the folder for temporary files, then copied over in one transaction. A killed process leaves either the former
 * or the new content.
 * @throws DocfuseError `index_damaged`, `index_busy`, `storage`; the index then stays unchanged
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
