/** Notices that a newer version brought an index to its own format while this process had it open. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { DocfuseError } from '../../core/errors.ts';
import { MIGRATIONS } from './schema.ts';

/**
 * This version would misread rows of an unknown format, and a newer version would see its rows as damage.
 * @param format a prepared `formatOf`, where the check is frequent
 * @throws DocfuseError `index_newer`
 */
export function requireKnownFormat(database: DatabaseSync, format = formatOf(database)): void {
  const found = Number(format.get()?.user_version);
  if (found <= MIGRATIONS.length) return;
  const file = database.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").get()?.file;
  throw new DocfuseError(
    'index_newer',
    `A newer docfuse brought the index ${file} to format ${found} while this process (${process.pid}) had it open; it knows formats up to ${MIGRATIONS.length}.`,
    'End this process (a running `docfuse serve` or `docfuse mcp`) and start it with the newer docfuse.',
  );
}

export function formatOf(database: DatabaseSync): StatementSync {
  return database.prepare('PRAGMA user_version');
}
