/** Notices that a newer version brought an index to its own format while this process had it open. */
import type { DatabaseSync } from 'node:sqlite';
import { DocfuseError } from '../../core/errors.ts';
import { MIGRATIONS } from './schema.ts';

/**
 * Rows of a format this version does not know would be misread, and rows it wrote would be damage to whoever knows it.
 * @throws DocfuseError `index_newer`
 */
export function requireKnownFormat(database: DatabaseSync): void {
  const format = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (format <= MIGRATIONS.length) return;
  const file = database.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").get()?.file;
  throw new DocfuseError(
    'index_newer',
    `A newer docfuse brought the index ${file} to format ${format} while this process (${process.pid}) had it open; it knows formats up to ${MIGRATIONS.length}.`,
    'End this process (a running `docfuse serve` or `docfuse mcp`) and start it with the newer docfuse.',
  );
}
