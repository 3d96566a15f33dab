import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Index, SearchOptions } from '../../../src/engine/api.ts';
import { createVault } from '../vault.ts';

const BREAD = { 'bread.md': '# Bread\n\nKnead the dough for ten minutes.\n' };
const DOUGH = 'Knead the dough';
const WORDS: SearchOptions = { mode: 'keyword', minConfidence: 0 };

/** An answer that went through no stage. */
async function isKept(index: Index, query: string, options: SearchOptions = WORDS): Promise<boolean> {
  const { timingsMs } = await index.search(query, options);
  return Object.keys(timingsMs).join() === 'total';
}

async function pathsOf(index: Index, query: string, options: SearchOptions = WORDS) {
  return (await index.search(query, options)).hits.map(({ path }) => path);
}

test('a question that comes back has the same answer, made once', async () => {
  const index = await createVault(BREAD).open();
  await index.sync({ embed: false });
  const first = await index.search(DOUGH, WORDS);
  expect(first.hits).toHaveLength(1);
  const second = await index.search(DOUGH, { ...WORDS, signal: new AbortController().signal });
  expect(second).toEqual({ ...first, timingsMs: { total: expect.any(Number) } });
  expect(await isKept(index, DOUGH, { ...WORDS, topN: 3 })).toBe(false);
  expect(await isKept(index, DOUGH, { ...WORDS, filters: { path: ['b*'] } })).toBe(false);
  expect(await isKept(index, 'the dough knead')).toBe(false);
});

test('whoever changes the lists of an answer changes only that answer', async () => {
  const index = await createVault(BREAD).open();
  await index.sync({ embed: false });
  for (let times = 0; times < 3; times++) {
    const { hits } = await index.search(DOUGH, WORDS);
    expect((hits as unknown[]).splice(0)).toHaveLength(1);
  }
});

test('an answer without an index, or without the meaning that was asked for, is made again', async () => {
  const index = await createVault(BREAD).open();
  expect(await index.search(DOUGH, WORDS)).toMatchObject({ hits: [], notice: expect.anything() });
  expect(await isKept(index, DOUGH)).toBe(false);
  await index.sync({ embed: false });
  await index.search(DOUGH);
  expect(await isKept(index, DOUGH, {})).toBe(false);
});

test('an answer with a notice about its words is kept', async () => {
  const index = await createVault(BREAD).open();
  await index.sync({ embed: false });
  expect(await index.search('knead the plankton', WORDS)).toHaveProperty('notice');
  expect(await isKept(index, 'knead the plankton')).toBe(true);
});

test('a document that is added, changed, touched or removed is in the next answer as it is', async () => {
  const vault = createVault(BREAD);
  const index = await vault.open();
  const sync = () => index.sync({ embed: false });
  await sync();
  expect(await pathsOf(index, DOUGH)).toEqual(['bread.md']);
  vault.write('cake.md', '# Cake\n\nDo not knead the dough.\n');
  await sync();
  expect((await pathsOf(index, DOUGH)).toSorted()).toEqual(['bread.md', 'cake.md']);
  vault.write('bread.md', '# Bread\n\nKnead the dough for an hour.\n');
  await sync();
  const texts = (await index.search(DOUGH, WORDS)).hits.map(({ text }) => text);
  expect(texts.join()).toContain('an hour');
  utimesSync(join(vault.folder, 'cake.md'), 1e9, 1e9);
  await sync();
  const { hits } = await index.search(DOUGH, WORDS);
  expect(hits.find(({ path }) => path === 'cake.md')?.modified).toBe('2001-09-09T01:46:40.000Z');
  vault.remove('cake.md');
  await sync();
  expect(await pathsOf(index, DOUGH)).toEqual(['bread.md']);
});

test('what another process wrote is in the next answer', async () => {
  const vault = createVault(BREAD);
  const [index, other] = [await vault.open(), await vault.open()];
  await index.sync({ embed: false });
  expect(await pathsOf(index, DOUGH)).toEqual(['bread.md']);
  expect(await isKept(index, DOUGH)).toBe(true);
  vault.write('cake.md', '# Cake\n\nKnead the dough, too.\n');
  await other.sync({ embed: false });
  expect((await pathsOf(index, DOUGH)).toSorted()).toEqual(['bread.md', 'cake.md']);
});

test('passages are found by meaning as soon as they have vectors', async () => {
  const vault = createVault({ ...BREAD, 'car.md': '# Tyres\n\nPump air into the wheels of the vehicle.\n' });
  const index = await vault.open();
  await index.sync({ embed: false });
  const question = 'inflate an automobile’s rubber';
  const options: SearchOptions = { mode: 'hybrid', minConfidence: 0 };
  expect(await pathsOf(index, question, options)).not.toContain('car.md');
  await index.sync();
  expect(await pathsOf(index, question, options)).toContain('car.md');
});
