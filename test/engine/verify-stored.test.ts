/** `index` does not call an index unchanged that `doctor` calls damaged. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite-store.ts';
import { locateIndex } from '../../src/engine/config/locate-index.ts';
import { composeWorkspace, loadAnalyzers } from '../../src/engine/open.ts';
import { sync } from '../../src/engine/sync/sync.ts';
import { verifyStored } from '../../src/engine/sync/tidy-up.ts';
import { createSerialQueue } from '../../src/engine/tasks.ts';
import { createPlayground } from '../surfaces/cli/docfuse.ts';
import { createVault } from './vault.ts';

const spoil = (file: string, letter: string) => {
  const database = new DatabaseSync(file);
  database.exec(`UPDATE chunk_bodies SET text = replace(text, 'e', '${letter}')`);
  database.close();
};

test('the command fails with what is damaged and what to do, until that is done', async () => {
  using playground = createPlayground({ 'docs/a.md': '# Alpha\n\nOne sentence.\n' });
  const index = (...args: string[]) =>
    playground.run(['index', 'docs', '--index', 'index', '--no-embed', ...args]);
  await index();
  spoil(join(playground.folder, 'index/index.sqlite'), 'x');
  const { code, stderr } = await index();
  expect(stderr).toMatch(/is damaged \(damaged rows of chunk_bodies: 1\)/);
  expect(stderr).toContain('docfuse index docs --rebuild');
  expect(code).toBe(1);
  const { stdout } = await playground.run(['doctor', 'docs', '--index', 'index']);
  expect(stdout).toContain('damaged rows of chunk_bodies: 1');
  expect((await index('--rebuild')).code).toBe(0);
  expect((await index()).stdout).toContain('1 unchanged');
});

test('a library call looks only when asked', async () => {
  const vault = createVault({ 'a.md': '# Alpha\n\nOne sentence.\n' });
  const index = await vault.open();
  await index.sync({ embed: false, verify: true });
  spoil(join(vault.indexPath, 'index.sqlite'), 'x');
  await expect(index.sync({ embed: false })).resolves.toMatchObject({ unchanged: 1 });
  await expect(index.sync({ embed: false, verify: true })).rejects.toMatchObject({ code: 'index_damaged' });
});

test('a large index is looked through once a day', async () => {
  const vault = createVault({ 'a.md': '# Alpha\n\nOne sentence.\n' });
  await (await vault.open()).sync({ embed: false });
  const file = join(vault.indexPath, 'index.sqlite');
  const small = openSqliteStore(file);
  let now = 1e12;
  const large = { ...small, bytes: () => 2 ** 30 };
  const verify = (store: typeof small) =>
    verifyStored({ store, clock: { now: () => now, monotonic: () => now } }, file);
  verify(large);
  spoil(file, 'x');
  now += 23 * 3_600_000;
  verify(large);
  expect(() => verify(small)).toThrow(/is damaged/);
  now += 2 * 3_600_000;
  expect(() => verify(large)).toThrow(/is damaged/);
  small.close();
});

test('a run without changes loads no words; the look through the index makes lost ones again', async () => {
  const vault = createVault({ 'a.md': '# Alpha\n\nOne sentence.\n' });
  await (await vault.open()).sync({ embed: false });
  const store = openSqliteStore(join(vault.indexPath, 'index.sqlite'));
  const { config } = locateIndex({ roots: [vault.folder], indexPath: vault.indexPath });
  const analyzers = await loadAnalyzers(config.collections);
  const workspace = composeWorkspace(store, { ...config, analyzers, cwd: vault.folder });
  const segments = () => [...store.segments.read('chunks')].length;
  for (const { id } of [...store.segments.read('chunks')]) store.segments.use('chunks', [id], [id]);
  const services = { reading: createSerialQueue(), embedding: createSerialQueue() };
  const report = await sync(workspace, { embed: false, verify: true }, services);
  expect([report.unchanged, segments()]).toEqual([1, 0]);
  await workspace.repairWords();
  expect(segments()).toBe(1);
  await workspace.close();
});
