/** The index on disk: one SQLite file. Everything in memory is derived from it. */
import type { DatabaseSync } from 'node:sqlite';
import type { Store, StoreCounts } from '../../core/storage.ts';
import { documentTables } from './document-tables.ts';
import { BUSY_TIMEOUT_MS, isWriteProtected, openDatabase } from './open-database.ts';
import { rowChecksum } from './row-checksum.ts';
import { arraysOf, SEALED } from './rows.ts';
import { segmentTable } from './segment-table.ts';
import { explainStorageError, guardAll, isLocked } from './sqlite-errors.ts';
import { stateTable } from './state-table.ts';
import { transaction } from './transaction.ts';
import { allEmbedded, vectorTables } from './vector-tables.ts';
import { vocabularyTable } from './vocabulary-table.ts';

export interface SqliteStoreOptions {
  /** Opens an existing index and never writes to it. @default true if the index exists and may not be written */
  readonly readOnly?: boolean;
  /** All reads show the index as it was when it was opened. @default false */
  readonly frozen?: boolean;
}

/**
 * Opens or makes the index in `file`; `:memory:` keeps it in memory. To write, a caller must hold the write lock (lock.ts).
 * @throws DocfuseError `index_missing` (read-only), `index_newer`, `index_damaged`, `index_busy`, `storage`; every method may
 * throw these, too, except `index_missing`
 */
export function openSqliteStore(file: string, options: SqliteStoreOptions = {}): Required<Store> {
  let database: DatabaseSync | undefined;
  try {
    const { readOnly = isWriteProtected(file) } = options;
    database = openDatabase(file, readOnly);
    // In a transaction, all reads show the state at the first read.
    if (options.frozen) database.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    return storeOver(database, readOnly, file);
  } catch (error) {
    database?.close();
    throw explainStorageError(error, file);
  }
}

function storeOver(database: DatabaseSync, readOnly: boolean, file: string): Required<Store> {
  return {
    readOnly,
    ...guardAll(file, {
      ...documentTables(database),
      ...vectorTables(database),
      ...stateTable(database),
      counts: countRows(database),
      countLinks: () => firstOf(database, 'SELECT count(*) AS first FROM links'),
      bytes: () =>
        firstOf(database, 'SELECT page_count * page_size AS first FROM pragma_page_count, pragma_page_size'),
      together: (work: () => void) => transaction(database, work),
      truncateLog: () => truncateLog(database),
      problems: () => problemsOf(database),
      close() {
        if (database.isOpen) database.close();
      },
    }),
    segments: guardAll(file, segmentTable(database)),
    vocabulary: guardAll(file, vocabularyTable(database)),
  };
}

function countRows(database: DatabaseSync): Store['counts'] {
  const number = '(SELECT number FROM models WHERE name = ?1)';
  const chunks = '(SELECT count(*) FROM chunks)';
  const count = database.prepare(`
    SELECT (SELECT count(*) FROM documents) AS documents, ${chunks} AS chunks,
           CASE WHEN ${allEmbedded(number)} THEN ${chunks} ELSE (
             SELECT count(*) FROM chunks c JOIN vectors v ON v.passage = c.passage WHERE v.model = ${number}
           ) END AS embedded`);
  return (model) => ({ ...(count.get(model) as unknown as StoreCounts) });
}

const firstOf = (database: DatabaseSync, query: string) => Number(database.prepare(query).get()?.first);

/** Empties the log. Returns false while a read runs, even on this connection: SQLite then cannot empty the log. */
function truncateLog(database: DatabaseSync): boolean {
  database.exec('PRAGMA busy_timeout = 0');
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

function problemsOf(database: DatabaseSync): readonly string[] {
  const found = database
    .prepare('PRAGMA integrity_check')
    .all()
    .map((row) => String(row.integrity_check));
  const loose = database.prepare('PRAGMA foreign_key_check').all();
  return [
    ...found.filter((line) => line !== 'ok'),
    ...loose.map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`),
    ...checkRows(database),
  ];
}

/** Tables whose rows are checked. `meta` is not checked: the next run computes damaged facts again. */
const CHECKED: readonly (readonly [table: string, checksum: string, columns: string])[] = [
  ...Object.entries(SEALED).map(([table, columns]) => [table, 'checksum', columns] as const),
  ['chunk_bodies', 'text_checksum', 'slot, overlap, text'],
];

const MISSING: Readonly<Record<string, string>> = {
  'documents without all their passages':
    'SELECT count(*) AS first FROM documents d WHERE chunk_count <> (SELECT count(*) FROM chunks c WHERE c.document = d.number)',
  'documents without all their links':
    'SELECT count(*) AS first FROM documents d WHERE link_count <> (SELECT count(*) FROM links l WHERE l.document = d.number)',
  'passages without their text':
    'SELECT count(*) AS first FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM chunk_bodies b WHERE b.slot = c.slot)',
  'passages without the section around them': `SELECT count(*) AS first FROM chunks c WHERE parent_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM parents p WHERE p.id = c.parent_id AND p.document = c.document)`,
};

/** Checks all rows. @returns a phrase for each problem; empty without problems */
function checkRows(database: DatabaseSync): readonly string[] {
  const damaged = CHECKED.map((place) => [`damaged rows of ${place[0]}`, damagedRows(database, ...place)]);
  const missing = Object.entries(MISSING).map(([what, query]) => [what, firstOf(database, query)]);
  return [...damaged, ...missing].flatMap(([what, rows]) => (rows === 0 ? [] : `${what}: ${rows}`));
}

/**
 * Counts the rows whose checksum is wrong. Reads a row at a time: a function that SQLite calls for each row would keep the values of
 * all rows until the last.
 */
function damagedRows(database: DatabaseSync, table: string, checksum: string, columns: string): number {
  const read = arraysOf(database, `SELECT ${checksum}, ${columns} FROM ${table}`);
  let damaged = 0;
  for (const [expected, ...values] of read.iterate()) {
    if (rowChecksum(...values) !== expected) damaged++;
  }
  return damaged;
}
