/** Replaces the content of an index: rebuilds it and keeps its undamaged vectors, or writes all its pages again. */
import { existsSync, renameSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { DocfuseError } from '../../core/errors.ts';
import type { RenewOptions } from '../../core/storage.ts';
import { copyVectors, soundFacts, soundRows } from './copy-vectors.ts';
import { requireOurs } from './format.ts';
import { requireOrdinaryFiles } from './index-files.ts';
import { BUSY_TIMEOUT_MS, preparePrivateFile, removeDatabase, removeSideFiles } from './open-database.ts';
import { explainStorageError, isDamage } from './sqlite-errors.ts';
import { openSqliteStore } from './sqlite-store.ts';

/**
 * Queries for the last used numbers of slots and documents. The new index continues after them, so a search that runs in another
 * process may miss a passage, but never gets another passage under an old number. Numbering starts at 1 again when the lowest
 * number in use is more than half of the highest.
 */
const NUMBERS = ['chunks.slot', 'documents.number'].map((column) => {
  const [table, number] = column.split('.');
  return `SELECT '${table}' AS name, CASE WHEN min(${number}) * 2 > max(${number}) + 1 THEN 0 ELSE max(${number}) END AS seq
    FROM ${table}`;
});

/** Numbers of documents and slots are below this limit. Other numbers come from damage and are ignored. */
const NUMBERS_BELOW = 2 ** 31;

/**
 * Replaces an index by a new one that holds only its vectors. The caller must hold the write lock. The new content is made in
 * a file beside the index, then copied over in one transaction. Until then, readers see the former content. A stopped or killed
 * process leaves either the former or the new content. An index too damaged for a transaction is replaced as a file.
 * A vector is kept, under the key of its text, if the rows of the vector, its passage and its text are undamaged.
 * @throws DocfuseError `storage` for the database of another program; `index_busy` or `storage` if the index cannot be read or
 * written at the moment. The index then stays unchanged.
 */
export async function renewDatabase(file: string, options: RenewOptions = {}): Promise<void> {
  if (!existsSync(file)) return;
  const fresh = unfinished(file);
  requireOrdinaryFiles(file);
  removeDatabase(fresh); // a killed run may have left this file
  try {
    await makeFresh(file, fresh, options);
    try {
      await copyInto(file, fresh);
    } catch (error) {
      if (!isDamage(error)) throw error;
      removeSideFiles(file);
      renameSync(fresh, file);
    }
  } catch (error) {
    throw explainStorageError(error, file);
  } finally {
    removeDatabase(fresh);
  }
}

/** Path of the file in which the new content of an index is made. A killed run leaves this file behind. */
export function unfinished(file: string): string {
  return `${file}.new`;
}

async function makeFresh(file: string, fresh: string, { keyOf, ...options }: RenewOptions): Promise<void> {
  using former = openFormer(file);
  const store = openSqliteStore(fresh);
  try {
    store.setState({ generation: freshGeneration(former) });
    if (former && keyOf) await copyVectors(former, store, keyOf, options);
  } finally {
    store.close();
  }
  if (former) continueNumbers(former, fresh);
}

/**
 * Returns the generation of the new index. It is greater than the last generation, even if the clock was set back, so it shows
 * other processes that the index was rebuilt. If the last generation is lost, the new one is the present time.
 */
function freshGeneration(former: DatabaseSync | undefined): number {
  const { generation = 0 } = former ? soundFacts(former, ['generation']) : {};
  return Math.max(generation + 1, Date.now());
}

/** Replaces the content of the database `file` by the content of `fresh`, in one transaction. */
async function copyInto(file: string, fresh: string): Promise<void> {
  // Stays open until the copy ends, because the last connection to close removes the log. If `backup` had the last connection, the
  // log might still be there when `backup` returns.
  using target = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  target.exec('BEGIN IMMEDIATE; ROLLBACK'); // fails if another program has a lock; `backup` would wait forever
  using source = new DatabaseSync(fresh, { readOnly: true });
  try {
    await backup(source, file);
  } catch (cause) {
    // If copying fails after the first page and before the last, SQLite gives the error code 0 and no reason.
    if ((cause as { errcode?: unknown }).errcode !== 0) throw cause;
    throw new DocfuseError(
      'storage',
      `The new content of the index ${file} could not be written.`,
      'Check that its disk works and has free space, then try again. The index has not changed.',
      { cause },
    );
  }
}

/** @returns undefined for a file too damaged to open */
function openFormer(file: string): DatabaseSync | undefined {
  const former = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    former.exec('PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF');
    requireOurs(former, file);
    return former;
  } catch (error) {
    former.close();
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function continueNumbers(former: DatabaseSync, fresh: string): void {
  using database = new DatabaseSync(fresh);
  const insert = database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  for (const { name, seq } of NUMBERS.flatMap((query) => [...soundRows(former, query)]))
    if (Number(seq) > 0 && Number(seq) < NUMBERS_BELOW) insert.run(name as string, seq as number);
}

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
    vacuumInto(file, fresh);
    await copyInto(file, fresh);
  } catch (error) {
    throw explainStorageError(error, file);
  } finally {
    removeDatabase(fresh);
  }
}

function vacuumInto(file: string, fresh: string): void {
  using database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  database.prepare('VACUUM INTO ?').run(fresh);
}
