/** Checks all rows by their checksums and counts missing rows; a search checks only the rows that it reads. */
import type { DatabaseSync } from 'node:sqlite';
import { rowChecksum, type Value } from './row-checksum.ts';
import { SEALED } from './rows.ts';

/** Tables whose rows are checked. `meta` is not checked: the next run computes damaged facts again. */
const CHECKED: readonly (readonly [table: string, checksum: string, columns: string])[] = [
  ...Object.entries(SEALED).map(([table, columns]) => [table, 'checksum', columns] as const),
  ['chunk_bodies', 'text_checksum', 'slot, overlap, text'],
];

const MISSING: Readonly<Record<string, string>> = {
  'documents without all their passages':
    'SELECT count(*) AS count FROM documents d WHERE chunk_count <> (SELECT count(*) FROM chunks c WHERE c.document = d.number)',
  'documents without all their links':
    'SELECT count(*) AS count FROM documents d WHERE link_count <> (SELECT count(*) FROM links l WHERE l.document = d.number)',
  'passages without their text':
    'SELECT count(*) AS count FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM chunk_bodies b WHERE b.slot = c.slot)',
  'passages without the section around them': `SELECT count(*) AS count FROM chunks c WHERE parent_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM parents p WHERE p.id = c.parent_id AND p.document = c.document)`,
};

/** Checks all rows. @returns a phrase for each problem; empty without problems */
export function checkRows(database: DatabaseSync): readonly string[] {
  const damaged = CHECKED.map((place) => [`damaged rows of ${place[0]}`, damagedRows(database, ...place)]);
  const missing = Object.entries(MISSING).map(([what, query]) => [
    what,
    database.prepare(query).get()!.count,
  ]);
  return [...damaged, ...missing].flatMap(([what, rows]) => (rows === 0 ? [] : `${what}: ${rows}`));
}

/**
 * Counts the rows whose checksum is wrong. Reads a row at a time: a function that SQLite calls for each row would keep the values of
 * all rows until the last.
 */
function damagedRows(database: DatabaseSync, table: string, checksum: string, columns: string): number {
  const read = database.prepare(`SELECT ${checksum}, ${columns} FROM ${table}`);
  read.setReturnArrays(true);
  let damaged = 0;
  for (const row of read.iterate()) {
    const [expected, ...values] = row as unknown as readonly Value[];
    if (rowChecksum(...values) !== expected) damaged++;
  }
  return damaged;
}

/** Tables whose rows are counted nowhere else. If a row is missing only in an index of SQLite, some answers would lack it. */
const INDEXED = ['documents', 'passages', 'chunks'] as const;

/**
 * Checks that the indexes of SQLite have as many rows as their tables. SQLite itself does not notice a wrong page or a lost
 * write. The check takes milliseconds for 100,000 rows. One statement counts a table and its indexes, because another process
 * may write between two statements.
 * @throws RangeError naming the table
 */
export function requireWholeIndexes(database: DatabaseSync): void {
  const indexesOf = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?");
  for (const table of INDEXED) {
    const ways = ['NOT INDEXED', ...indexesOf.all(table).map(({ name }) => `INDEXED BY ${name}`)];
    const counts = ways.map((way) => `SELECT count(*) AS rows FROM ${table} ${way}`);
    const all = database.prepare(counts.join(' UNION ALL ')).all();
    if (all.some(({ rows }) => rows !== all[0]!.rows))
      throw new RangeError(`an SQLite index of ${table} has missing or extra rows`);
  }
}
