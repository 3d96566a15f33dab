/** State that others write, that is undone, or that is damaged. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('counts a damaged value as never noted', () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  store.setState({ otherLanguages: [1, 2, 3] });
  const database = new DatabaseSync(file);
  database.exec("UPDATE meta SET value = '[1,2,4]' WHERE key = 'otherLanguages'");
  database.close();
  expect(store.getState('otherLanguages')).toBeUndefined();
  expect(store.hasState('otherLanguages')).toBe(false);
  store.close();
});

it('does not read a long value to find a short one', () => {
  const store = openSqliteStore(join(temporaryFolder(), 'index.sqlite'));
  store.setState({ otherLanguages: Array.from({ length: 1_000_000 }, (_, n) => n), generation: 1 });
  const time = (read: () => unknown) => {
    const began = process.cpuUsage();
    read();
    return process.cpuUsage(began).user;
  };
  const long = time(() => store.getState('otherLanguages'));
  const short = () => Array.from({ length: 200 }, () => store.getState('generation'));
  expect(Math.min(time(short), time(short), time(short))).toBeLessThan(long);
  store.close();
});

it('tells what every search asks for as it is: written by another process, undone, of a newer format', () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  const other = openSqliteStore(file);
  store.setState({ generation: 1 });
  expect(store.getState('generation')).toBe(1);
  other.setState({ generation: 2 });
  expect(store.getState('generation')).toBe(2);
  const undone = () =>
    store.together(() => {
      store.setState({ generation: 3 });
      expect(store.getState('generation')).toBe(3);
      throw new Error('undone');
    });
  expect(undone).toThrow('undone');
  expect(store.getState('generation')).toBe(2);
  other.close();
  const newer = new DatabaseSync(file);
  newer.exec('PRAGMA user_version = 1000');
  newer.close();
  expect(() => store.getState('generation')).toThrow(expect.objectContaining({ code: 'index_newer' }));
  store.close();
});
