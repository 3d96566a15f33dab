import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite-store.ts';
import { keepFresh } from '../../src/engine/watch/keep-fresh.ts';
import { makeOtherModel } from '../support/other-model.ts';
import { makeVariant } from '../support/small-model.ts';
import { createVault } from './vault.ts';

test('after a change of model the former one answers, status says how far, and former vectors go in the end', async () => {
  const vault = createVault({
    'bread.md': '# Bread\n\nKnead the dough for ten minutes.\n',
    'ski.md': '# Skis\n\nIron the wax into the base.\n',
  });
  const first = await vault.open();
  await first.sync();
  const former = (await first.status()).index.model;
  await first.close();

  const settings = { embedding: { model: makeOtherModel(join(vault.folder, '..', 'other-model')) } };
  const second = await vault.open({ settings });
  expect((await second.status()).index).toMatchObject({ chunks: 2, embedded: 0, stale: true });
  await second.sync({ embed: false });
  const between = await second.search('dough', { minConfidence: 0 });
  expect(between.hits[0]?.path).toBe('bread.md');
  expect(between.weights.semantic).toBeGreaterThan(0);
  expect(between.index).toMatchObject({ model: former, embedded: 2, stale: false });
  expect(between.notice).toBe('The former model answers until the new one has made its vectors.');

  expect(await second.sync()).toMatchObject({ changed: 0, embedded: 2 });
  const { index } = await second.status();
  expect(index).toMatchObject({ embedded: 2, stale: false });
  expect(index.model).not.toBe(former);
  expect((await second.search('dough', { minConfidence: 0 })).weights.semantic).toBeGreaterThan(0);
  await second.close();
  const database = new DatabaseSync(join(vault.indexPath, 'index.sqlite'), { readOnly: true });
  expect(database.prepare('SELECT count(*) AS count FROM vectors').get()).toEqual({ count: 2 });
  database.close();
});

test('a process counts again what another one embedded, also before that one announces it', async () => {
  const notes = Array.from({ length: 10 }, (_, n) => [`${n}.md`, `# Note ${n}\n\nLantern ${n}.\n`]);
  const vault = createVault(Object.fromEntries(notes));
  const index = await vault.open();
  await index.sync();
  const { model } = (await index.status()).index;
  const other = openSqliteStore(join(vault.indexPath, 'index.sqlite'));
  other.pruneVectors([], 0);
  await index.close();
  const reading = await vault.open();
  expect((await reading.search('lantern', { mode: 'keyword' })).index.embedded).toBe(0);
  const some = other
    .missingVectors(model, 6)
    .map(({ key }) => ({ key, vector: new Float32Array(64).fill(1) }));
  other.putVectors(model, some);
  other.close();
  const { index: counted, notice } = await reading.search('lantern', { mode: 'semantic' });
  expect(counted).toMatchObject({ embedded: 6, stale: true });
  expect(notice).toMatch(/^6 of 10 passages have vectors so far/);
});

test('a process counts again if the folder of the model holds another one by now', async () => {
  const vault = createVault({ 'a.md': '# Lamp\n\nIt burns.\n' });
  const model = makeVariant(join(vault.folder, '..', 'model'), 'model.onnx');
  const settings = { embedding: { model } };
  const first = await vault.open({ settings });
  await first.sync();
  await first.close();
  rmSync(model, { recursive: true });
  makeVariant(model, 'byte_weights.onnx');
  const second = await vault.open({ settings });
  const embedded = async (query: string) => (await second.search(query, { mode: 'keyword' })).index.embedded;
  expect(await embedded('lamp')).toBe(1);
  await second.search('lamp', { mode: 'hybrid' });
  expect(await embedded('burns')).toBe(0);
});

test('a server that finds another model answers by words at once, and makes vectors meanwhile', async () => {
  const notes = Array.from({ length: 300 }, (_, n) => [
    `${n}.md`,
    `# Note ${n}\n\nLantern ${n} of the keeper.\n`,
  ]);
  const vault = createVault(Object.fromEntries(notes));
  const first = await vault.open();
  await first.sync();
  const former = (await first.status()).index.model;
  await first.close();

  const settings = { embedding: { model: makeOtherModel(join(vault.folder, '..', 'other-model')) } };
  const fresh = keepFresh(await vault.open({ settings }));
  onTestFinished(() => fresh.close());
  // Every state it goes through, until all vectors are there.
  const seen: number[] = [];
  for (let stale = true; stale; ) {
    const { index } = await fresh.status();
    seen.push(index.embedded);
    stale = index.stale;
    const { hits } = await fresh.search('keeper 77', { mode: 'keyword', minConfidence: 0 });
    expect(hits[0]?.path).toBe('77.md');
    const { notice } = await fresh.search('the keeper of lantern 77', { minConfidence: 0 });
    if (stale && notice)
      expect(notice).toMatch(/^\d+ of 300 passages have vectors so far|^The former model answers until/);
    await sleep(20);
  }
  expect(seen[0]).toBe(0);
  expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
  expect(new Set(seen).size).toBeGreaterThan(2);
  expect((await fresh.status()).index.model).not.toBe(former);
}, 90_000);

test('where the former model is gone, words serve on until the new one has its vectors', async () => {
  const vault = createVault({ 'bread.md': '# Bread\n\nKnead the dough for ten minutes.\n' });
  const gone = makeOtherModel(join(vault.folder, '..', 'gone'));
  const first = await vault.open({ settings: { embedding: { model: gone } } });
  await first.sync();
  await first.close();
  rmSync(gone, { recursive: true });
  const second = await vault.open();
  const found = await second.search('dough', { minConfidence: 0 });
  expect(found.hits[0]?.path).toBe('bread.md');
  expect(found.weights.semantic).toBeUndefined();
  expect(found.notice).toContain('0 of 1 passages have vectors');
});

test('the identity of a model is read from the index until its files change', async () => {
  const vault = createVault({ 'bread.md': '# Bread\n\nKnead the dough for ten minutes.\n' });
  const folder = makeVariant(join(vault.folder, '..', 'model'), 'model.onnx');
  const settings = { embedding: { model: folder } };
  const identify = async () => {
    const index = await vault.open({ settings });
    await index.sync();
    const { model } = (await index.status()).index;
    await index.close();
    return model;
  };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_000 });
  onTestFinished(() => void vi.useRealTimers());
  const hashed = await identify();
  const store = openSqliteStore(join(vault.indexPath, 'index.sqlite'));
  const [[stamp, saved]] = Object.entries(store.getState('modelStamps')!) as [[string, string]];
  expect(saved).toBe(hashed);
  store.setState({ modelStamps: { [stamp]: 'planted@1' } });
  store.close();
  expect(await identify()).toBe('planted@1');
  appendFileSync(join(folder, 'tokenizer.json'), '\n');
  expect(await identify()).not.toBe(hashed);
  expect(await identify()).not.toBe('planted@1');
});
