/** `--rebuild`: everything is read again, vectors that are what was written are kept, and nobody else's file is touched. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PAGE_SIZE } from '../../src/adapters/store/schema.ts';
import type { SyncProgress } from '../../src/engine/api.ts';
import { createVault } from './vault.ts';

const NOTES = {
  'bread.md': '# Bread\n\nYeast turns sugar into gas, and so it rises.\n',
  'tides.md': '# Tides\n\nThe moon pulls on the water twice a day.\n',
  'glass.md': '# Glass\n\nSand melts, and is blown while it glows.\n',
};
const QUESTION = 'why does dough get bigger';
const settings = { search: { query_expansion_enabled: true } };

function countRows(indexPath: string, table: 'vectors' | 'vocabulary'): number {
  const database = new DatabaseSync(join(indexPath, 'index.sqlite'), { readOnly: true });
  const { count } = database.prepare(`SELECT count(*) AS count FROM ${table}`).get()!;
  database.close();
  return count as number;
}

function spoil(indexPath: string, statement: string): void {
  const database = new DatabaseSync(join(indexPath, 'index.sqlite'), { enableForeignKeyConstraints: false });
  database.exec(statement);
  database.close();
}

test('embeds nothing again that is sound, and answers like an index that was made from nothing', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open({ settings });
  expect((await index.sync()).embedded).toBe(3);
  const before = await index.search(QUESTION, { minConfidence: 0 });
  const words = countRows(vault.indexPath, 'vocabulary');
  writeFileSync(join(vault.indexPath, 'index.sqlite.new'), 'left behind by a rebuild that was killed');
  expect(await index.sync({ rebuild: true, embed: false })).toMatchObject({ added: 3 });
  expect((await index.status()).index.embedded).toBe(3);
  expect(words).toBeGreaterThan(5);
  expect(countRows(vault.indexPath, 'vocabulary')).toBe(words);
  expect((await index.sync()).embedded).toBe(0);
  expect((await index.search(QUESTION, { minConfidence: 0 })).hits).toEqual(before.hits);
  expect(existsSync(join(vault.indexPath, 'index.sqlite.new'))).toBe(false);
  expect((await index.check()).filter(({ state }) => state !== 'ok')).toEqual([]);
});

test.each([
  ['a vector', 'UPDATE vectors SET vector = zeroblob(length(vector)) WHERE number = 2', 1],
  ['the text of a passage', "UPDATE chunk_bodies SET text = replace(text, 'moon', 'spoon')", 1],
  ['which passage a text is', 'UPDATE chunks SET passage = 1 WHERE slot = 3', 1],
  ['the keys of passages', "UPDATE passages SET key = 'x' || number", 0],
  ['the name of the model', "UPDATE models SET name = 'x'", 3],
  ['all of its tables', 'DROP TABLE vectors', 3],
])('makes again what belongs to a damaged row: %s', async (_, statement, embedded) => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync();
  const before = await first.search(QUESTION, { mode: 'semantic', minConfidence: 0 });
  await first.close();
  spoil(vault.indexPath, statement);
  const index = await vault.open();
  expect(await index.sync({ rebuild: true })).toMatchObject({ added: 3, embedded });
  const after = await index.search(QUESTION, { mode: 'semantic', minConfidence: 0 });
  expect(after.hits).toEqual(before.hits);
});

test('refuses to replace the database of another program', async () => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync({ embed: false });
  await first.close();
  const file = join(vault.indexPath, 'index.sqlite');
  rmSync(file);
  spoil(vault.indexPath, 'CREATE TABLE theirs (x); INSERT INTO theirs VALUES (42)');
  const theirs = readFileSync(file);
  const refusal = (await vault.open()).sync({ rebuild: true });
  await expect(refusal).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining(file),
    remedy: expect.stringMatching(/delete that file if nobody needs it/),
  });
  expect(readFileSync(file)).toEqual(theirs);
});

test('leaves nothing of files that are gone, also without a model', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open({ settings });
  await index.sync();
  const words = countRows(vault.indexPath, 'vocabulary');
  vault.remove('tides.md');
  await index.sync();
  expect(countRows(vault.indexPath, 'vectors')).toBe(3);
  await index.sync({ rebuild: true, embed: false });
  expect(countRows(vault.indexPath, 'vectors')).toBe(2);
  expect(countRows(vault.indexPath, 'vocabulary')).toBeLessThan(words);
});

test.each([
  ['of another program', true],
  ['of its own', false],
])('leaves a database %s that is locked as it is', async (_, foreign) => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync();
  await first.close();
  const file = join(vault.indexPath, 'index.sqlite');
  if (foreign) {
    rmSync(file);
    spoil(vault.indexPath, 'CREATE TABLE theirs (x); INSERT INTO theirs VALUES (42)');
  }
  const other = new DatabaseSync(file);
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  const index = await vault.open();
  await expect(index.sync({ rebuild: true })).rejects.toMatchObject({ code: 'index_busy' });
  other.exec('COMMIT');
  other.close();
  const refused = foreign ? { code: 'storage' } : { embedded: 0 };
  await expect(index.sync({ rebuild: true }).catch((error) => error)).resolves.toMatchObject(refused);
});

test('says of an index that is being made that there is more to come', async () => {
  const vault = createVault(NOTES);
  const [index, reader] = [await vault.open(), await vault.open()];
  await index.sync({ embed: false });
  const ask = () => reader.search('yeast', { mode: 'keyword' });
  expect((await ask()).hits).toHaveLength(1);
  const stopped = new AbortController();
  const onChange = () => stopped.abort();
  await index
    .sync({ rebuild: true, embed: false, onChange, signal: stopped.signal })
    .catch((error) => expect(error).toHaveProperty('name', 'AbortError'));
  expect((await ask()).notice).toMatch(/has 3 documents so far\. Indexing is still running, or was stopped/);
  await index.sync({ embed: false });
  const { hits, notice } = await ask();
  expect({ hits: hits.length, notice }).toEqual({ hits: 1, notice: undefined });
});

test('others see each of several rebuilds within one tick of the clock', async () => {
  const vault = createVault(NOTES);
  const [index, reader] = [await vault.open(), await vault.open()];
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  for (const word of ['sourdough', 'focaccia', 'brioche', 'lavash']) {
    vault.write('bread.md', `# Bread\n\nToday ${word}.\n`);
    await index.sync({ rebuild: true, embed: false });
    expect((await reader.search(word, { mode: 'keyword' })).hits.map(({ path }) => path)).toEqual([
      'bread.md',
    ]);
  }
});

test('tells how many vectors it has looked at, and one that is stopped there leaves the index as it was', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync();
  const before = await index.search(QUESTION, { minConfidence: 0 });
  vault.write('bread.md', '# Bread\n\nSourdough.\n');
  const stopped = new AbortController();
  const seen: SyncProgress[] = [];
  const onProgress = (progress: SyncProgress) => {
    seen.push(progress);
    stopped.abort();
  };
  const rebuild = { rebuild: true, embed: false } as const;
  const rebuilt = index.sync({ ...rebuild, onProgress, signal: stopped.signal });
  await expect(rebuilt).rejects.toHaveProperty('name', 'AbortError');
  expect(seen).toEqual([{ phase: 'copy', done: 3, total: 3 }]);
  expect(existsSync(join(vault.indexPath, 'index.sqlite.new'))).toBe(false);
  expect((await index.search(QUESTION, { minConfidence: 0 })).hits).toEqual(before.hits);
  const phases = new Set<string>();
  await index.sync({ ...rebuild, onProgress: ({ phase }) => phases.add(phase) });
  expect([...phases]).toEqual(['copy', 'read']);
});

test('a page that cannot be read costs the vectors near it alone', async () => {
  const vault = createVault(
    Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`${index}.md`, `# Note ${index}\n\nToken${index}x.\n`]),
    ),
  );
  const index = await vault.open();
  expect((await index.sync()).embedded).toBe(400);
  await index.close();
  const file = join(vault.indexPath, 'index.sqlite');
  const bytes = readFileSync(file);
  const at = bytes.indexOf('Token5x.');
  const page = at - (at % PAGE_SIZE);
  writeFileSync(file, bytes.fill(0xff, page, page + PAGE_SIZE));
  const again = await vault.open();
  const { embedded } = await again.sync({ rebuild: true });
  expect(embedded).toBeGreaterThan(0);
  expect(embedded).toBeLessThan(350);
}, 60_000);
