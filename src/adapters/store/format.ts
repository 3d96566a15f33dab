/** Checks whether a database is an index, and in which format. */
import type { DatabaseSync } from 'node:sqlite';
import { DocfuseError } from '../../core/errors.ts';
import { APPLICATION_ID, FORMAT } from './schema.ts';

/**
 * @returns `empty` for a file without tables, `older` for an index that must be rebuilt, `present` for the present format
 * @throws DocfuseError `index_newer`, or `storage` for another program's database
 */
export function checkFormat(database: DatabaseSync, file: string): 'empty' | 'older' | 'present' {
  if (isEmpty(database)) return 'empty';
  requireOurs(database, file);
  const format = formatOf(database);
  if (format > FORMAT) {
    throw new DocfuseError(
      'index_newer',
      `The index ${file} has format ${format}; this version of docfuse knows formats up to ${FORMAT}.`,
      'Update docfuse, or rebuild the index with `docfuse index --rebuild`.',
    );
  }
  return format < FORMAT ? 'older' : 'present';
}

/** Accepts an index or an empty database. @throws DocfuseError `storage` for another program's database */
export function requireOurs(database: DatabaseSync, file: string): void {
  if (isEmpty(database) || database.prepare('PRAGMA application_id').get()?.application_id === APPLICATION_ID)
    return;
  throw new DocfuseError(
    'storage',
    `${file} is a database of another program, not a docfuse index.`,
    'Choose another place for the index, or delete that file if nobody needs it.',
  );
}

/**
 * Checks that no newer version of docfuse has rebuilt the index in a newer format while this process had it open. Without this
 * check, this version would misread the rows, and the newer version would treat rows written here as damaged.
 * @throws DocfuseError `index_newer`
 */
export function requireKnownFormat(database: DatabaseSync): void {
  const found = formatOf(database);
  if (found <= FORMAT) return;
  const file = database.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").get()?.file;
  throw new DocfuseError(
    'index_newer',
    `A newer docfuse converted the index ${file} to format ${found} while this process (${process.pid}) had it open; this process knows formats up to ${FORMAT}.`,
    'End this process (a running `docfuse serve` or `docfuse mcp`) and start it with the newer docfuse.',
  );
}

function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}
