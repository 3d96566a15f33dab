/** Rebuilds an index and keeps the sound vectors of the former one: they take the longest to make. */
import { existsSync, renameSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { DocfuseError } from '../../core/errors.ts';
import type { RenewOptions } from '../../core/storage.ts';
import { copyVectors, soundRows } from './copy-vectors.ts';
import { requireOurs } from './format.ts';
import { BUSY_TIMEOUT_MS, removeDatabase, removeSideFiles } from './open-database.ts';
import { requireOrdinaryFiles } from './ordinary-files.ts';
import { rowChecksum } from './row-checksum.ts';
import { explainStorageError, isDamage } from './sqlite-errors.ts';
import { openSqliteStore } from './sqlite-store.ts';

/**
 * Slots and documents get numbers that the former index did not use. A search that runs in another process then misses a
 * passage, and never finds another one under its number. The lower numbers are used again when there is room.
 */
const NUMBERS = ['chunks.slot', 'documents.number'].map((column) => {
  const [table, number] = column.split('.');
  return `SELECT '${table}' AS name, CASE WHEN min(${number}) * 2 > max(${number}) + 1 THEN 0 ELSE max(${number}) END AS seq
    FROM ${table}`;
});

/** No index gives out a greater number. */
const MAX_ROWS = 2 ** 31;

/**
 * Replaces what an index holds by vectors and nothing else; only for the holder of the write lock. The new content is made
 * in a file beside it and copied over in one transaction: readers meanwhile see the former, and a process that is
 * killed leaves the one or the other. An index that is too damaged for a transaction is replaced as a file.
 * A vector is kept when it, its passage and the text that the passage stands for are all what was written, under the key
 * of that text. Stopping leaves the former.
 * @throws DocfuseError `storage` for the database of another program, `index_busy` and `storage` for one that cannot be
 * read or written just now: it stays as it is
 */
export async function renewDatabase(file: string, options: RenewOptions = {}): Promise<void> {
  if (!existsSync(file)) return;
  const fresh = unfinished(file);
  requireOrdinaryFiles(file);
  removeDatabase(fresh); // of a run that was stopped
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

/** The file in which the new content of an index is made. A killed run leaves it behind. */
export function unfinished(file: string): string {
  return `${file}.new`;
}

async function makeFresh(file: string, fresh: string, { keyOf, ...options }: RenewOptions): Promise<void> {
  const former = openFormer(file);
  try {
    const store = openSqliteStore(fresh);
    try {
      store.setState({ generation: freshGeneration(former) });
      if (former && keyOf) await copyVectors(former, store, keyOf, options);
    } finally {
      store.close();
    }
    if (former) continueNumbers(former, fresh);
  } finally {
    former?.close();
  }
}

/**
 * Others see by it that all is new, so it must differ from every former one: it is greater than the last one,
 * whatever the clock says. If the last one is lost, the clock is used.
 */
function freshGeneration(former: DatabaseSync | undefined): number {
  const query = "SELECT value, checksum FROM meta WHERE key = 'generation'";
  const [row] = former ? soundRows(former, query) : [];
  const value = String(row?.value ?? '');
  const known = row && rowChecksum('generation', value) === row.checksum ? Number(value) : 0;
  return Math.max(known + 1, Date.now());
}

/** Puts the content of one database in place of another's, in one transaction. */
export async function copyInto(file: string, fresh: string): Promise<void> {
  // Stays open until all is copied: the last to close an index removes its log, which `backup` may not wait for.
  const target = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    target.exec('BEGIN IMMEDIATE; ROLLBACK'); // `backup` would wait for another program's lock without end
    const source = new DatabaseSync(fresh, { readOnly: true });
    try {
      await backup(source, file);
    } catch (cause) {
      // What goes wrong between its first page and its last comes without the reason, as error 0.
      if ((cause as { errcode?: unknown }).errcode !== 0) throw cause;
      throw new DocfuseError(
        'storage',
        `The new content of the index ${file} could not be written.`,
        'Check that its disk has room and works, then try again; the index is as it was.',
        { cause },
      );
    } finally {
      source.close();
    }
  } finally {
    target.close();
  }
}

/** @returns undefined for a file that is damaged throughout */
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
  const database = new DatabaseSync(fresh);
  try {
    const insert = database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
    for (const { name, seq } of NUMBERS.flatMap((query) => [...soundRows(former, query)]))
      if (Number(seq) > 0 && Number(seq) < MAX_ROWS) insert.run(name as string, seq as number);
  } finally {
    database.close();
  }
}
