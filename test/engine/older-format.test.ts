/** An index of an older format: the next sync renews it and keeps its vectors, unless documents would be lost. */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { acquireWriteLock } from '../../src/adapters/store/lock.ts';
import { stateTable } from '../../src/adapters/store/state-table.ts';
import { makeOlder } from '../support/make-older.ts';
import { createVault, type Vault } from './vault.ts';

const NOTES = {
  'bread.md': '# Bread\n\nYeast turns sugar into gas, and so it rises.\n',
  'tides.md': '# Tides\n\nThe moon pulls on the water twice a day.\n',
  'glass.md': '# Glass\n\nSand melts, and is blown while it glows.\n',
};
const QUESTION = 'why does dough get bigger';

function makeVaultOlder({ indexPath }: Vault, format = 5): void {
  const database = new DatabaseSync(join(indexPath, 'index.sqlite'));
  database.exec('ALTER TABLE documents DROP COLUMN altered');
  makeOlder(database, format);
  database.close();
}

function countVectors({ indexPath }: Vault): unknown {
  const database = new DatabaseSync(join(indexPath, 'index.sqlite'), { readOnly: true });
  const { count } = database.prepare('SELECT count(*) AS count FROM vectors').get()!;
  database.close();
  return count;
}

/** Vectors are 32-bit floats in format 5, 16-bit floats in format 8, and packed in format 9. */
test.for([5, 8, 9])(
  'an index of format %i is rebuilt by the next sync, which says so and keeps its vectors',
  async (format) => {
    const vault = createVault(NOTES);
    const first = await vault.open();
    await first.sync();
    const before = await first.search(QUESTION, { minConfidence: 0 });
    await first.close();
    makeVaultOlder(vault, format);
    const index = await vault.open();
    await expect(index.search(QUESTION)).rejects.toMatchObject({
      remedy: expect.stringContaining('docfuse index'),
    });
    const stopped = new AbortController();
    const onProgress = () => stopped.abort();
    await expect(index.sync({ onProgress, signal: stopped.signal })).rejects.toHaveProperty(
      'name',
      'AbortError',
    );
    expect(countVectors(vault)).toBe(3);
    await expect(index.search(QUESTION)).rejects.toMatchObject({ code: 'storage' });

    expect(await index.sync()).toMatchObject({
      ...{ added: 3, embedded: 0 },
      warnings: [{ message: expect.stringContaining('older docfuse made') }],
    });
    expect((await index.search(QUESTION, { minConfidence: 0 })).hits).toEqual(before.hits);
    expect(await index.sync()).toMatchObject({ unchanged: 3, warnings: [] });
  },
);

test('an index of an older format stays as it is for a call with other roots, and while a root is away', async () => {
  const [vault, other] = [createVault(NOTES), createVault({ 'bread.md': '# Other\n\nSomething else.\n' })];
  const first = await vault.open();
  await first.sync({ embed: false });
  await first.close();
  makeVaultOlder(vault);
  const file = join(vault.indexPath, 'index.sqlite');
  const before = readFileSync(file);
  const mistaken = await other.open({ indexPath: vault.indexPath });
  await expect(mistaken.sync({ embed: false })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(`holds ${vault.folder}, not ${other.folder}`),
  });
  const index = await vault.open();
  renameSync(vault.folder, `${vault.folder}-away`);
  await expect(index.sync({ embed: false })).rejects.toMatchObject({ code: 'not_found' });
  expect(readFileSync(file)).toEqual(before);
  renameSync(`${vault.folder}-away`, vault.folder);
  expect(await index.sync({ embed: false })).toMatchObject({ added: 3 });
});

test('an index of an older format keeps the documents of a drive that is not plugged in', async () => {
  const [vault, drive] = [createVault(NOTES), createVault({ 'rye.md': '# Rye\n\nIt grows on poor soil.\n' })];
  const roots = [vault.folder, drive.folder];
  const first = await vault.open({ roots });
  expect(await first.sync({ embed: false })).toMatchObject({ added: 4 });
  await first.close();
  makeVaultOlder(vault);
  const file = join(vault.indexPath, 'index.sqlite');
  const before = readFileSync(file);
  renameSync(join(drive.folder, 'rye.md'), join(vault.indexPath, 'rye.md'));
  const index = await vault.open({ roots });
  await expect(index.sync({ embed: false })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining(`${drive.folder} is empty`),
    remedy: expect.stringMatching(/[Pp]lug/),
  });
  expect(readFileSync(file)).toEqual(before);
  expect(await index.sync({ embed: false, rebuild: true })).toMatchObject({ added: 3 });
  renameSync(join(vault.indexPath, 'rye.md'), join(drive.folder, 'rye.md'));
  expect(await index.sync({ embed: false })).toMatchObject({ added: 1, unchanged: 3 });
});

test('an index of an older format is renewed although a new root is empty', async () => {
  const [vault, empty] = [createVault(NOTES), createVault({})];
  const first = await vault.open();
  await first.sync({ embed: false });
  await first.close();
  makeVaultOlder(vault);
  const index = await vault.open({ roots: [vault.folder, empty.folder] });
  expect(await index.sync({ embed: false })).toMatchObject({ added: 3 });
});

test('an index of an older format is renewed although a root is empty that never had documents', async () => {
  const [vault, inbox] = [createVault(NOTES), createVault({})];
  const roots = [vault.folder, inbox.folder];
  const first = await vault.open({ roots });
  await first.sync({ embed: false });
  await first.close();
  makeVaultOlder(vault);
  const index = await vault.open({ roots });
  expect(await index.sync({ embed: false })).toMatchObject({ added: 3 });
});

test('an index of an older format keeps the documents of a drive inside a root that is not mounted', async () => {
  const vault = createVault({ ...NOTES, 'drive/rye.md': '# Rye\n\nIt grows on poor soil.\n' });
  const first = await vault.open();
  await first.sync({ embed: false });
  await first.close();
  const file = join(vault.indexPath, 'index.sqlite');
  const database = new DatabaseSync(file);
  stateTable(database).setState({ mounts: [`${basename(vault.folder)}/drive`] });
  database.close();
  makeVaultOlder(vault);
  const before = readFileSync(file);
  rmSync(join(vault.folder, 'drive/rye.md'));
  const index = await vault.open();
  await expect(index.sync({ embed: false })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining(`${basename(vault.folder)}/drive is empty`),
  });
  expect(readFileSync(file)).toEqual(before);
  expect(await index.sync({ embed: false, rebuild: true })).toMatchObject({ added: 3 });
});

test('of two that find an index of an older format, the second reads nothing again', async () => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync({ embed: false });
  await first.close();
  makeVaultOlder(vault);
  const lock = await acquireWriteLock(join(vault.indexPath, 'index.sqlite'));
  const waiting = [await vault.open(), await vault.open()].map((index) => index.sync({ embed: false }));
  lock.release();
  const reports = await Promise.all(waiting);
  expect(reports.map(({ added }) => added).toSorted()).toEqual([0, 3]);
});
