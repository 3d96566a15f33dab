/** Reads where the documents of an index come from, without opening the index: it may have an older format. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { IndexOrigin } from '../../core/storage.ts';
import { stateTable } from './state-table.ts';

/** @returns empty lists if the index is damaged, or if its format stores these facts in another way */
export function originOf(file: string): IndexOrigin {
  const nothing: IndexOrigin = { roots: [], filled: [], mounts: [] };
  if (!existsSync(file)) return nothing;
  const place = pathToFileURL(file);
  // If there is no log, no process has the index open, so `immutable` is safe. Without `immutable`, SQLite would make a log, and
  // the new file would make the folder look recently used.
  if (!existsSync(`${file}-wal`)) place.searchParams.set('immutable', '1');
  try {
    using database = new DatabaseSync(place, { readOnly: true });
    const { getState } = stateTable(database);
    const filled = database.prepare('SELECT DISTINCT collection FROM documents').all();
    return {
      roots: getState('roots') ?? [],
      filled: filled.map(({ collection }) => String(collection)),
      mounts: getState('mounts') ?? [],
    };
  } catch {
    return nothing;
  }
}
