/** Files whose size and date say nothing, as in containers and archives, where all bear one date. */
import { chmodSync, copyFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Index } from '../../src/engine/api.ts';
import { createVault } from './vault.ts';

async function dated() {
  const vault = createVault({ 'a.md': '# Bread\n\nsourdough\n', 'b.md': '# Bread\n\nbagelring\n' });
  const at = (name: string) => join(vault.folder, name);
  const date = (name: string) => utimesSync(at(name), 1e9, 1e9);
  for (const name of ['a.md', 'b.md']) date(name);
  const index = await vault.open();
  expect(await index.sync()).toMatchObject({ added: 2, embedded: 2 });
  return { at, date, index };
}

const found = async (index: Index, query: string) =>
  (await index.search(query, { mode: 'keyword', minConfidence: 0 })).hits.map(({ path }) => path);

test('two that change places are found where they are', async () => {
  const { at, index } = await dated();
  renameSync(at('a.md'), at('c'));
  renameSync(at('b.md'), at('a.md'));
  renameSync(at('c'), at('b.md'));
  expect(await index.sync()).toMatchObject({ changed: 2, embedded: 0 });
  expect([await found(index, 'sourdough'), await found(index, 'bagelring')]).toEqual([['b.md'], ['a.md']]);
  expect(await index.sync()).toMatchObject({ changed: 0, unchanged: 2 });
});

test('another text of the same length is read', async () => {
  const { at, date, index } = await dated();
  writeFileSync(at('a.md'), '# Bread\n\nfocaccias\n');
  date('a.md');
  expect(await index.sync({ embed: false })).toMatchObject({ changed: 1, unchanged: 1 });
  expect(await found(index, 'focaccias')).toEqual(['a.md']);
});

test('one that is copied or given other rights is read once, and neither cut nor embedded again', async () => {
  const { at, date, index } = await dated();
  chmodSync(at('a.md'), 0o600);
  copyFileSync(at('b.md'), at('c'));
  renameSync(at('c'), at('b.md'));
  date('b.md');
  const steps: number[] = [];
  const onProgress = ({ phase, done }: { phase: string; done: number }) =>
    phase === 'read' && steps.push(done);
  expect(await index.sync({ onProgress })).toMatchObject({ changed: 0, unchanged: 2, embedded: 0 });
  expect(steps).toEqual([1, 2]);
  steps.length = 0;
  expect(await index.sync({ onProgress })).toMatchObject({ changed: 0, unchanged: 2, embedded: 0 });
  expect(steps).toEqual([]);
});

test('another handle is told of a new time', async () => {
  const vault = createVault({ 'a.md': '# Bread\n\nsourdough\n' });
  await using first = await vault.open();
  await first.sync({ embed: false });
  await using second = await vault.open();
  const date = async (index: Index) => (await index.list()).documents[0]?.modified;
  const before = await date(second);
  utimesSync(join(vault.folder, 'a.md'), 1e9, 1e9);
  await first.sync({ embed: false });
  expect(await date(second)).toBe(await date(first));
  expect(await date(second)).not.toBe(before);
});
