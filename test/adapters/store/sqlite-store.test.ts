/** The SQLite store: the contract, and what only a file can get wrong. */
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { removeDatabase } from '../../../src/adapters/store/open-database.ts';
import { FORMAT } from '../../../src/adapters/store/schema.ts';
import { explainStorageError } from '../../../src/adapters/store/sqlite-errors.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import type { Store } from '../../../src/core/storage.ts';
import { storeContract } from '../../contracts/store-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sampleDocument } from './sample.ts';

storeContract('SQLite file', () => openSqliteStore(join(temporaryFolder(), 'index.sqlite')));
storeContract('SQLite in memory', () => openSqliteStore(':memory:'));

describe('index file', () => {
  it('holds everything after it was closed, for readers and for writers', () => {
    const file = join(temporaryFolder(), 'index.sqlite');
    const store = openSqliteStore(file);
    const { number } = store.putDocument(sampleDocument('a.md', ['one']));
    store.segments.put('code', new Uint8Array(100_000).fill(7));
    store.close();
    store.close();
    for (const readOnly of [true, false]) {
      const again = openSqliteStore(file, { readOnly });
      expect(again.chunksOf(number)[0]?.text).toBe('one');
      expect([...again.segments.read('code')][0]?.bytes).toEqual(new Uint8Array(100_000).fill(7));
      again.close();
    }
  });

  it('lets others read while one writes', () => {
    const file = join(temporaryFolder(), 'index.sqlite');
    const writer = openSqliteStore(file);
    writer.putDocument(sampleDocument('a.md', ['one']));
    const reader = openSqliteStore(file, { readOnly: true });
    const open = reader.documents()[Symbol.iterator]();
    open.next();
    writer.putDocument(sampleDocument('b.md', ['two']));
    expect(open.next().done).toBe(true); // a reading sees one state from beginning to end
    expect([...reader.documents()]).toHaveLength(2);
    expect(() => reader.setState({ model: 'b' })).toThrow(expect.objectContaining({ code: 'storage' }));
    reader.close();
    writer.close();
  });

  it('reads files and documents once together, unless documents were written meanwhile', () => {
    const file = join(temporaryFolder(), 'index.sqlite');
    const other = openSqliteStore(file);
    const { number } = other.putDocument(sampleDocument('a.md', ['one']));
    const isShared = (write: (store: Store) => void) => {
      const store = openSqliteStore(file);
      const read = store.files()[0];
      write(store);
      const shared = [...store.documents()][0] === read;
      expect([...store.documents()][0]).not.toBe(read); // not kept any longer
      expect(Object.keys(store.files()[0]!)).not.toContain('fields');
      store.close();
      return shared;
    };
    expect(isShared((store) => store.setState({ staleDocuments: [] }))).toBe(true); // as a sync does between both calls
    const touched = { path: 'a.md', modified: 2, altered: 2, size: 2 };
    expect(isShared((store) => store.touchDocument(number, touched))).toBe(false);
    expect(isShared(() => other.setState({ staleDocuments: ['a'] }))).toBe(false);
    expect(isShared((store) => store.putDocument(sampleDocument('b.md', ['two'])))).toBe(false);
    expect(isShared((store) => store.removeDocument(number + 1))).toBe(false);
    other.close();
  });

  it.skipIf(process.platform === 'win32')('is private, and so is the folder made for it', () => {
    const folder = join(temporaryFolder(), 'deep', 'er');
    const store = openSqliteStore(join(folder, 'index.sqlite'));
    store.putDocument(sampleDocument('a.md', ['one']));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(join(folder, `index.sqlite${suffix}`)).mode & 0o777).toBe(0o600);
    }
    store.close();
  });

  it.skipIf(process.platform === 'win32')(
    'leaves the permissions of an existing folder alone, and takes those of others from its own files',
    () => {
      const folder = temporaryFolder();
      const file = join(folder, 'index.sqlite');
      const modes = (...paths: readonly string[]) => paths.map((path) => statSync(path).mode & 0o777);
      chmodSync(folder, 0o755);
      const store = openSqliteStore(file);
      store.setState({ model: 'b' });
      for (const suffix of ['', '-wal', '-shm']) chmodSync(file + suffix, 0o644);
      openSqliteStore(file).close();
      expect(modes(folder, file, `${file}-wal`, `${file}-shm`)).toEqual([0o755, 0o600, 0o600, 0o600]);
      store.close();
      rmSync(file);
      const theirs = new DatabaseSync(file);
      theirs.exec('CREATE TABLE theirs (x)');
      theirs.close();
      chmodSync(file, 0o644);
      expect(() => openSqliteStore(file)).toThrow(/another program/);
      expect(modes(file)).toEqual([0o644]);
    },
  );

  it.skipIf(process.platform === 'win32')('takes no rights from a file that a planted link leads to', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'index.sqlite');
    const shared = join(folder, 'shared.txt');
    writeFileSync(shared, '');
    chmodSync(shared, 0o644);
    symlinkSync(shared, `${file}-shm`);
    // What SQLite makes of such a file is its own affair.
    try {
      openSqliteStore(file).close();
    } catch {}
    expect(statSync(shared).mode & 0o777).toBe(0o644);
  });

  it('is removed with its side files', () => {
    const file = join(temporaryFolder(), 'index.sqlite');
    const store = openSqliteStore(file);
    store.setState({ model: 'b' });
    expect(existsSync(`${file}-wal`)).toBe(true);
    store.close();
    writeFileSync(`${file}-wal`, '');
    removeDatabase(file);
    removeDatabase(file);
    expect(['', '-wal', '-shm'].filter((suffix) => existsSync(file + suffix))).toEqual([]);
  });
});

describe('files that cannot be opened', () => {
  const opening = (file: string, readOnly = false) => {
    try {
      openSqliteStore(file, { readOnly }).close();
      return undefined;
    } catch (error) {
      return error;
    }
  };

  it('asks to index first when there is nothing to read', () => {
    const folder = temporaryFolder({ 'empty.sqlite': '' });
    expect(opening(join(folder, 'none.sqlite'), true)).toMatchObject({ code: 'index_missing' });
    expect(opening(join(folder, 'empty.sqlite'), true)).toMatchObject({ code: 'index_missing' });
    expect(existsSync(join(folder, 'none.sqlite'))).toBe(false);
  });

  it('names both formats of an index made by a newer version, and leaves it alone', () => {
    const file = join(temporaryFolder(), 'index.sqlite');
    openSqliteStore(file).close();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 77');
    database.close();
    for (const readOnly of [true, false]) {
      expect(opening(file, readOnly)).toMatchObject({
        code: 'index_newer',
        message: expect.stringMatching(new RegExp(`77.*${FORMAT}\\.`)),
        remedy: expect.stringContaining('--rebuild'),
      });
    }
  });

  it('never turns the database of another program into an index', () => {
    const file = join(temporaryFolder(), 'photos.sqlite');
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE photos (id INTEGER)');
    expect(opening(file)).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('another program'),
    });
    expect(database.prepare('SELECT name FROM sqlite_schema').all()).toMatchObject([{ name: 'photos' }]);
    database.close();
  });

  it('says that a file of something else is damaged', () => {
    const folder = temporaryFolder({ 'index.sqlite': 'this is not a database, '.repeat(100) });
    for (const readOnly of [true, false]) {
      expect(opening(join(folder, 'index.sqlite'), readOnly)).toMatchObject({
        code: 'index_damaged',
        remedy: expect.stringContaining('--rebuild'),
      });
    }
  });

  it('says that rows with impossible content are damage', () => {
    const file = join(temporaryFolder(), 'index.sqlite');
    const store = openSqliteStore(file);
    const { number, slots } = store.putDocument(sampleDocument('a.md', ['one']));
    store.putVectors('m', [{ key: store.missingVectors('m', 1)[0]!.key, vector: Float32Array.of(1, 2) }]);
    const database = new DatabaseSync(file);
    database.exec("UPDATE vectors SET vector = x'010203'; UPDATE chunk_bodies SET heading_path = '[\"'");
    database.close();
    const damage = expect.objectContaining({ code: 'index_damaged' });
    expect(() => store.vector('m', slots[0]!)).toThrow(damage);
    expect(() => [...store.vectors('m')]).toThrow(damage);
    expect(() => store.chunksOf(number)).toThrow(damage);
    store.close();
  });

  it.each([
    ["UPDATE documents SET path = 'b.md'", 'documents'],
    ["DELETE FROM documents WHERE id LIKE '%b.md'", 'chunks holds 4 rows, not 2'],
    ["UPDATE chunks SET languages = '[]' WHERE slot = 1", 'chunks'],
    ['DELETE FROM chunks WHERE slot = 2', 'chunks holds 3 rows, not 4'],
    ['DELETE FROM chunk_bodies WHERE slot = 2', 'chunk_bodies'],
    ["UPDATE chunk_bodies SET text = 'One' WHERE slot = 1", 'the text of a passage'],
    ['UPDATE chunk_bodies SET end_line = 99 WHERE slot = 1', 'chunk_bodies'],
    ['UPDATE parents SET end_line = 99', 'parents'],
    ["DELETE FROM parents WHERE id = 'pb.md'", 'the section around a passage is missing'],
    ["UPDATE links SET target = 'other.md'", 'links'],
    ['DELETE FROM links WHERE ordinal = 0', 'links holds 2 rows, not 4'],
    ['UPDATE vectors SET vector = zeroblob(8) WHERE number = 1', 'a vector'],
    ['UPDATE vectors SET passage = 99 WHERE number = 1', 'a vector'],
  ])('says that %s is damage', (change, what) => {
    const file = join(temporaryFolder(), 'index.sqlite');
    const store = openSqliteStore(file);
    const numbers = ['a.md', 'b.md'].map(
      (path) => store.putDocument(sampleDocument(path, ['one', `two ${path}`])).number,
    );
    const missing = store.missingVectors('m', 9).map(({ key }) => ({ key, vector: Float32Array.of(1, 2) }));
    store.putVectors('m', missing);
    const readAll = () => {
      void [
        [...store.documents()],
        store.slotsByDocument(),
        numbers.map(store.headsOf),
        numbers.map(store.chunksOf),
        [...store.links()],
      ];
      void [store.texts([1, 2]), store.parents(['pa.md', 'pb.md']), [...store.vectors('m')]];
    };
    readAll();
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    database.exec(change);
    database.close();
    expect(readAll).toThrow(
      expect.objectContaining({ code: 'index_damaged', message: expect.stringContaining(what) }),
    );
    expect(store.problems()).not.toEqual([]);
    store.close();
  });

  it('says that a place cannot be written', () => {
    const folder = temporaryFolder({ file: 'x' });
    mkdirSync(join(folder, 'folder.sqlite'));
    expect(opening(join(folder, 'folder.sqlite'))).toMatchObject({ code: 'storage' });
    expect(opening(join(folder, 'folder.sqlite'), true)).toMatchObject({ code: 'storage' });
    expect(opening(join(folder, 'file', 'index.sqlite'))).toMatchObject({ code: 'storage' });
  });

  it('says that the disk is full', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('PRAGMA max_page_count = 3; CREATE TABLE a (b BLOB)');
    let error: unknown;
    try {
      database.exec('INSERT INTO a VALUES (zeroblob(100000))');
    } catch (cause) {
      error = explainStorageError(cause, 'index.sqlite');
    }
    expect(error).toMatchObject({ code: 'storage', message: expect.stringContaining('full') });
    database.close();
  });

  it('says that another process is writing', () => {
    const file = join(temporaryFolder(), 'index.sqlite');
    const other = new DatabaseSync(file);
    other.exec('BEGIN EXCLUSIVE');
    const same = new DatabaseSync(file, { timeout: 0 });
    let error: unknown;
    try {
      same.exec('CREATE TABLE a (b)');
    } catch (cause) {
      error = explainStorageError(cause, file);
    }
    expect(error).toMatchObject({ code: 'index_busy' });
    other.close();
    same.close();
  });
});
