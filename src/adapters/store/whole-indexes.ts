/** Whether SQLite's own indexes fit their tables: a page that is another's, or missed a write, passes as sound. */
import type { DatabaseSync } from 'node:sqlite';

/** Those whose rows nothing else counts; a row that is in one and not in the other would be missing from some answers alone. */
const TABLES = ['documents', 'passages', 'chunks'] as const;

/**
 * Compares how many rows each table and its indexes hold: milliseconds for a hundred thousand.
 * @throws RangeError naming the table
 */
export function requireWholeIndexes(database: DatabaseSync): void {
  const indexesOf = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?");
  const count = (from: string) => database.prepare(`SELECT count(*) AS rows FROM ${from}`).get()!.rows;
  for (const table of TABLES) {
    const rows = count(`${table} NOT INDEXED`);
    const indexes = indexesOf.all(table).map(({ name }) => name as string);
    if (indexes.some((name) => count(`${table} INDEXED BY ${name}`) !== rows))
      throw new RangeError(`an index over ${table} does not fit them`);
  }
}
