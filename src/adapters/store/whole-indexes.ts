/** Checks that SQLite's own indexes fit their tables: SQLite accepts a wrong page or a lost write as sound. */
import type { DatabaseSync } from 'node:sqlite';

/** Those whose rows nothing else counts; a row that is in one and not in the other would be missing from some answers alone. */
const TABLES = ['documents', 'passages', 'chunks'] as const;

/**
 * Compares how many rows each table and its indexes hold: milliseconds for a hundred thousand. One statement counts a
 * table and its indexes, because another process may write between two.
 * @throws RangeError naming the table
 */
export function requireWholeIndexes(database: DatabaseSync): void {
  const indexesOf = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?");
  for (const table of TABLES) {
    const ways = ['NOT INDEXED', ...indexesOf.all(table).map(({ name }) => `INDEXED BY ${name}`)];
    const counts = ways.map((way) => `SELECT count(*) AS rows FROM ${table} ${way}`);
    const all = database.prepare(counts.join(' UNION ALL ')).all();
    if (all.some(({ rows }) => rows !== all[0]!.rows))
      throw new RangeError(`an index over ${table} does not fit them`);
  }
}
