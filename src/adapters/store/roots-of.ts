/** Reads the roots of an index from its file without opening the index, which may have an older format. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { stateTable } from './state-table.ts';

/** @returns empty if the roots cannot be read */
export function rootsOf(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const place = pathToFileURL(file);
  // If there is no log, no process has the index open, so `immutable` is safe. Without `immutable`, SQLite would make a log, and
  // the folder would look used.
  if (!existsSync(`${file}-wal`)) place.searchParams.set('immutable', '1');
  try {
    const database = new DatabaseSync(place, { readOnly: true });
    try {
      return stateTable(database).getState('roots') ?? [];
    } finally {
      database.close();
    }
  } catch {
    return []; // the index is damaged, or its format stores roots in another way
  }
}
