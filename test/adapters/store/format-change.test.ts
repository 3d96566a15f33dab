/** Processes of two versions at one index. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { FORMAT } from '../../../src/adapters/store/schema.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sampleDocument } from './sample.ts';

test('an index is neither read nor written by a process that had it open when a newer version took it over', () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  const { number } = store.putDocument(sampleDocument('a.md', ['one']));
  const newer = new DatabaseSync(file);
  newer.exec(`PRAGMA user_version = ${FORMAT + 1}`);
  const refusal = expect.objectContaining({
    code: 'index_newer',
    message: expect.stringContaining(file),
    remedy: expect.stringContaining('End this process'),
  });
  expect(() => store.putDocument(sampleDocument('b.md', ['two']))).toThrow(refusal);
  expect(() => store.touchDocument(number, { path: 'a.md', size: 1, modified: 1, altered: 1 })).toThrow(
    refusal,
  );
  expect(() => store.removeDocument(number)).toThrow(refusal);
  expect(() => store.setState({ generation: 9 })).toThrow(refusal);
  expect(() => store.getState('generation')).toThrow(refusal);
  expect(newer.prepare('SELECT id FROM documents').all()).toMatchObject([{ id: 'notes/a.md' }]);
  newer.close();
  store.close();
});

test.each([true, false])(
  'an index of an older format is not called missing, and stays as it is: %j',
  (readOnly) => {
    const file = join(temporaryFolder(), 'index.sqlite');
    openSqliteStore(file).close();
    const database = new DatabaseSync(file);
    database.exec(`ALTER TABLE documents DROP COLUMN altered; PRAGMA user_version = ${FORMAT - 1}`);
    const refusal = expect.objectContaining({
      code: 'storage',
      message: expect.stringContaining('made by an older docfuse'),
      remedy: expect.stringContaining('docfuse index'),
    });
    expect(() => openSqliteStore(file, { readOnly })).toThrow(refusal);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: FORMAT - 1 });
    database.close();
  },
);
