/** Brings an index file to the current format, or says why it cannot be. */
import type { DatabaseSync } from 'node:sqlite';
import { contentHash } from '../../core/chunk/chunk-head.ts';
import { DocfuseError } from '../../core/errors.ts';
import { defineRowChecksum } from './check-rows.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';
import { transaction } from './transaction.ts';

/**
 * Checks that the file is an index this version can work with; nothing is written to one that is not.
 * @throws DocfuseError `index_newer`, `index_missing`, or `storage` for another program's database and for an older format that cannot be
 * brought to this one
 */
export function checkFormat(database: DatabaseSync, file: string, readOnly: boolean): void {
  const format = pragma(database, 'user_version');
  requireOurs(database, file);
  if (format > MIGRATIONS.length) {
    throw new DocfuseError(
      'index_newer',
      `The index ${file} has format ${format}; this version of docfuse knows formats up to ${MIGRATIONS.length}.`,
      'Update docfuse, or rebuild the index with `docfuse index --rebuild`.',
    );
  }
  if (readOnly && format < MIGRATIONS.length) {
    if (isEmpty(database))
      throw new DocfuseError('index_missing', `The index ${file} is empty.`, 'Run `docfuse index` first.');
    throw new DocfuseError(
      'storage',
      `The index ${file} was made by an older docfuse (format ${format}, not ${MIGRATIONS.length}) and may not be written here.`,
      'Have whoever may write it run this version of docfuse on it once, or choose another place for the index.',
    );
  }
}

/** @throws DocfuseError `storage` for another program's database; an empty one belongs to no program */
export function requireOurs(database: DatabaseSync, file: string): void {
  if (isEmpty(database) || pragma(database, 'application_id') === APPLICATION_ID) return;
  throw new DocfuseError(
    'storage',
    `${file} is a database of another program, not a docfuse index.`,
    'Choose another place for the index, or delete that file if nobody needs it.',
  );
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

/**
 * Processes that have the index open read it again; a version from before formats were compared (known-format.ts) then finds
 * rows it cannot read and writes nothing.
 */
const ANNOUNCED = `
  UPDATE meta SET
    value = CAST(CAST(value AS INTEGER) + 1 AS TEXT),
    checksum = row_checksum(key, CAST(CAST(value AS INTEGER) + 1 AS TEXT))
  WHERE key = 'generation' AND checksum = row_checksum(key, value)`;

/** Runs the migrations the file has not seen, in one transaction. */
export function migrate(database: DatabaseSync): void {
  if (pragma(database, 'user_version') === MIGRATIONS.length) return;
  database.function('content_hash', { deterministic: true }, (text, overlap) =>
    contentHash({ text: String(text), overlap: Number(overlap) }),
  );
  defineRowChecksum(database);
  transaction(database, () => {
    // Read again inside the transaction: another process may have migrated in between.
    for (const statements of MIGRATIONS.slice(pragma(database, 'user_version'))) database.exec(statements);
    database.exec(ANNOUNCED);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
