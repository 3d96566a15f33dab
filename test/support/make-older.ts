/** Makes an index of a former format or a former reader. */
import type { DatabaseSync } from 'node:sqlite';
import { rowChecksum, type Value } from '../../src/adapters/store/row-checksum.ts';
import { unpackVector } from '../../src/core/indexes/packed-vector.ts';

/** Gives an index a former format: 8 has vectors of 16-bit floats, those before it of 32-bit floats. */
export function makeOlder(database: DatabaseSync, format: number): void {
  const update = database.prepare('UPDATE vectors SET vector = ?, checksum = ? WHERE number = ?');
  // From format 9 on, vectors are packed as they are now.
  const rows = format < 9 ? database.prepare('SELECT * FROM vectors').all() : [];
  for (const { number, model, passage, vector } of rows) {
    const numbers = unpackVector(vector as Uint8Array);
    const floats = new Uint8Array((format < 8 ? numbers : Float16Array.from(numbers)).buffer);
    update.run(floats, rowChecksum(model as number, passage as number, floats), number!);
  }
  database.exec(`PRAGMA user_version = ${format}`);
}

/** Defines the SQL function `row_checksum`, for rows that a test changes. */
export function defineRowChecksum(database: DatabaseSync): void {
  database.function('row_checksum', { varargs: true }, (...values) => rowChecksum(...(values as Value[])));
}
