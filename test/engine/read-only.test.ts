/** An open index that may not be written follows what others write to it; only the superuser may mount a disk to try it on. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import type { Index } from '../../src/engine/api.ts';
import { readOnlyIndex } from '../../src/engine/shared-index.ts';
import { startServer } from '../../src/surfaces/http/start-server.ts';
import { mountDisk, remount } from '../support/disks.ts';
import { createVault } from './vault.ts';

const found = async (index: Index, query: string) =>
  (await index.search(query, { mode: 'keyword', minConfidence: 0 })).hits.map(({ path }) => path);

async function writeIndex(context: TestContext) {
  const disk = mountDisk('16m', context);
  const vault = createVault({ 'bread.md': '# Bread\n\nKnead the dough.\n' });
  const writer = await vault.open({ indexPath: disk });
  await writer.sync({ embed: false });
  await writer.close();
  return { disk, vault };
}

test('an index opened while it could not be written sees what is written once it can', async (context) => {
  const { disk, vault } = await writeIndex(context);
  remount(disk, 'ro');
  const reader = await vault.open({ indexPath: disk });
  expect(await found(reader, 'dough')).toEqual(['bread.md']);
  await expect(reader.sync()).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining('EROFS'),
  });

  remount(disk, 'rw');
  vault.write('beans.md', '# Beans\n\nSow them in May.\n');
  const again = await vault.open({ indexPath: disk });
  await again.sync({ embed: false });
  expect(await found(reader, 'sow')).toEqual(['beans.md']);
  await again.close();
  vault.write('mint.md', '# Mint\n\nIt spreads.\n');
  await reader.sync({ embed: false });
  expect(await found(reader, 'spreads')).toEqual(['mint.md']);
});

test('an index that only answers refuses to rebuild, to purge, and to say what a sync would do', async () => {
  const vault = createVault({ 'bread.md': '# Bread\n' });
  const writer = await vault.open();
  await writer.sync({ embed: false });
  const index = readOnlyIndex(writer);
  for (const options of [{ rebuild: true }, { purge: true }, { dryRun: true }, { publish: true }])
    await expect(index.sync(options)).rejects.toMatchObject({ code: 'usage' });
  expect(await index.sync()).toMatchObject({ added: 0, changed: 0 });
});

test('doctor says once that an index of an older format may not be written', async (context) => {
  const { disk, vault } = await writeIndex(context);
  const database = new DatabaseSync(join(disk, 'index.sqlite'));
  database.exec('ALTER TABLE documents DROP COLUMN altered; PRAGMA user_version = 5');
  database.close();
  remount(disk, 'ro');
  const reader = await vault.open({ indexPath: disk });
  await expect(reader.search('dough')).rejects.toMatchObject({ code: 'storage' });
  const failures = (await reader.check()).filter(({ state }) => state === 'failure');
  expect(failures).toMatchObject([{ name: 'database', detail: expect.stringContaining('older docfuse') }]);
});

test('a server that only answers leaves the index as it is, and follows what others write', async () => {
  const vault = createVault({ 'bread.md': '# Bread\n\nKnead the dough.\n' });
  const { folder, indexPath } = vault;
  const start = () =>
    startServer({
      ...{ open: { roots: [folder], indexPath }, port: 0, readOnly: true },
      onFailure: (error) => expect.unreachable(String(error)),
    });
  await expect(start()).rejects.toMatchObject({ code: 'not_found' });
  const writer = await vault.open();
  await writer.sync({ embed: false });
  vault.write('beans.md', '# Beans\n\nSow them in May.\n');
  const server = await start();
  onTestFinished(server.close);
  const foundThere = async (query: string) => {
    const asked = `${server.url}/api/search?mode=keyword&min_confidence=0&query=${query}`;
    const { hits } = (await (await fetch(asked)).json()) as { hits: { path: string }[] };
    return hits.map(({ path }) => path);
  };
  expect([await foundThere('dough'), await foundThere('sow')]).toEqual([['bread.md'], []]);
  expect(await writer.list()).toMatchObject({ total: 1 });
  await writer.sync({ embed: false });
  expect(await foundThere('sow')).toEqual(['beans.md']);
});
