/** State whose text was written by something else, or by another version. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { rowChecksum } from '../../../src/adapters/store/row-checksum.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

it.each([
  ['edges', '[1,2]'],
  ['communities', '{"edges":"","members":[1]}'],
  ['skipped', '[{"path":1}]'],
  ['roots', '{'],
  ['generation', 'late'],
] as const)('%s of another shape, %s, counts as never noted', (key, value) => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  const database = new DatabaseSync(file);
  const row = [key, value, rowChecksum(key, value)] as const;
  database.prepare('INSERT INTO meta (key, value, checksum) VALUES (?, ?, ?)').run(...row);
  database.close();
  expect(store.getState(key)).toBeUndefined();
  store.close();
});
