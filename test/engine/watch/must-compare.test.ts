/** What no event reports: writes by others to the index, another folder at a root, and that a watch has ended. */
import { cpSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { watchCollections } from '../../../src/engine/watch/watch.ts';
import { createVault } from '../vault.ts';

const NOTES = { 'bread.md': '# Bread\n\nYeast.\n' };

test('what others wrote to the index counts as a change until a sync has read it all', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  const other = await vault.open();
  const watching = index.watch({ onChange() {} });
  await index.sync({ embed: false });
  vault.write('rye.md', '# Rye\n\nSour dough.\n');
  await other.sync({ embed: false });
  vault.write('oats.md', '# Oats\n\nPorridge.\n');
  expect(watching.mustCompare()).toBe(true);
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error('enough'));
  vault.write('barley.md', '# Barley\n\nMalt.\n');
  await expect(index.sync({ embed: false, signal: stop.signal, onProgress })).rejects.toThrow('enough');
  expect(watching.mustCompare()).toBe(true);
  await index.sync({ embed: false });
  expect(watching.mustCompare()).toBe(false);
});

test('another folder at a root counts as a change until all files were compared', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  const watching = index.watch({ onChange() {} });
  await index.sync({ embed: false });
  expect(watching.mustCompare()).toBe(false);
  renameSync(vault.folder, `${vault.folder}-before`);
  cpSync(`${vault.folder}-before`, vault.folder, { recursive: true });
  expect(watching.mustCompare()).toBe(true);
  await index.sync({ embed: false });
  expect(watching.mustCompare()).toBe(false);
});

test('a watch that a later one ended says so', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  const [first, second] = [index.watch({ onChange() {} }), index.watch({ onChange() {} })];
  await index.sync({ embed: false });
  expect(first.problem()).toMatch(/later watch replaced/);
  expect(second.problem()).toBeUndefined();
});

test('a listing that runs when its watch is replaced watches no further folder', () => {
  const places: string[] = [];
  const createWatcher = () => ({
    watch: (place: string) => void places.push(place),
    unwatch: () => {},
    close: () => {},
  });
  const watch = watchCollections({ createWatcher, onChange() {}, edition: () => '' });
  const pass = watch.begin(undefined);
  const collection = { name: 'notes' } as Parameters<typeof pass.onFolder>[0];
  pass.onFolder(collection, { path: '', place: '/notes' });
  watch.close(true);
  pass.onFolder(collection, { path: 'a', place: '/notes/a' });
  pass.onAway('notes', 'gone');
  expect(places).toEqual(['/notes']);
  expect(watch.problem()).toMatch(/replaced/);
});
