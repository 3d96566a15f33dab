import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { SearchResult } from '../../../src/engine/api.ts';
import { createVault } from '../vault.ts';

const NOTES = {
  'bread.md': '# Bread\n\nKnead the dough for ten minutes, then let it rest in a warm place.\n',
  'garden.md': '# Garden\n\nTomatoes want full sun and deep watering twice a week.\n',
  'ski/wax.md': '# Waxing skis\n\nIron the wax into the base and scrape it when it is cold.\n',
};

const paths = ({ hits }: SearchResult) => hits.map((hit) => hit.path);

test('a fresh folder is added, an unchanged one is left alone and embeds nothing', async () => {
  const index = await createVault(NOTES).open();
  expect(await index.sync()).toMatchObject({ added: 3, changed: 0, removed: 0, unchanged: 0, embedded: 3 });
  expect(await index.sync()).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 3, embedded: 0 });
});

test('what was changed is found by its new words and no longer by its old ones', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync();
  vault.write('garden.md', '# Garden\n\nHedgehogs hibernate under the pile of leaves.\n');
  expect(await index.sync()).toMatchObject({ added: 0, changed: 1, removed: 0, unchanged: 2, embedded: 1 });
  const all = { mode: 'keyword', minConfidence: 0 } as const;
  expect(paths(await index.search('hedgehogs', all))).toEqual(['garden.md']);
  expect(paths(await index.search('tomatoes', all))).toEqual([]);
  expect((await index.status()).index).toMatchObject({ documents: 3, chunks: 3, embedded: 3 });
});

test('a renamed file keeps its vectors', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync();
  vault.rename('ski/wax.md', 'winter.md');
  expect(await index.sync()).toMatchObject({ added: 0, renamed: 1, removed: 0, unchanged: 2, embedded: 0 });
  const byMeaning = await index.search('how do I care for my skis', { topN: 1, minConfidence: 0 });
  expect(paths(byMeaning)).toEqual(['winter.md']);
});

test('a deleted file is gone from every retriever', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync();
  vault.remove('bread.md');
  expect(await index.sync()).toMatchObject({ removed: 1, unchanged: 2 });
  for (const mode of ['hybrid', 'keyword', 'semantic'] as const) {
    expect(paths(await index.search('knead the dough', { mode, minConfidence: 0 }))).not.toContain(
      'bread.md',
    );
  }
});

test('a deleted file is gone from disk too, though no vector was ever loaded', async () => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync({ embed: false });
  vault.remove('bread.md');
  expect(await first.sync({ embed: false })).toMatchObject({ removed: 1 });
  expect(await first.sync({ embed: false })).toMatchObject({ removed: 0, unchanged: 2 });
  await first.close();
  const second = await vault.open();
  expect((await second.status()).index.documents).toBe(2);
});

test('equal passages are embedded once', async () => {
  const same = '# Title\n\nThe very same paragraph in two places.\n';
  const index = await createVault({ 'a.md': same, 'b.md': same }).open();
  expect(await index.sync()).toMatchObject({ added: 2, embedded: 1 });
  expect((await index.status()).index).toMatchObject({ chunks: 2, embedded: 2 });
});

test('touching a file without changing it embeds nothing and reads it once', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync();
  vault.write('bread.md', NOTES['bread.md']);
  expect(await index.sync()).toMatchObject({ changed: 0, unchanged: 3, embedded: 0 });
});

test('a dry run says what it would do and changes nothing', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  expect(await index.sync({ dryRun: true })).toMatchObject({ added: 3, embedded: 0 });
  expect((await index.status()).index.documents).toBe(0);
});

test('other rules of cutting read everything again, but embed only passages that changed', async () => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync();
  await first.close();
  const second = await vault.open({ settings: { chunking: { max_chars: 1200 } } });
  expect(await second.sync()).toMatchObject({ changed: 3, unchanged: 0, embedded: 0 });
});

test('a file that is never read, of which the index holds nothing, does not have all others read by every run', async () => {
  const vault = createVault({ ...NOTES, '.gitignore/a.txt': '' });
  const index = await vault.open();
  await index.sync({ embed: false });
  const second = await vault.open({ settings: { chunking: { max_chars: 1200 } } });
  const skipped = [{ path: 'notes/.gitignore', reason: 'unreadable' }];
  expect(await second.sync({ embed: false })).toMatchObject({ changed: 3, unchanged: 0, skipped });
  expect(await second.sync({ embed: false })).toMatchObject({ changed: 0, unchanged: 3, skipped });
});

test('words without segments, as a stopped run leaves them, are found all the same', async () => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync({ embed: false });
  await first.close();
  const database = new DatabaseSync(join(vault.indexPath, 'index.sqlite'));
  database.exec('DELETE FROM segments');
  database.close();
  const second = await vault.open();
  expect(paths(await second.search('watering', { mode: 'keyword' }))).toEqual(['garden.md']);
});

test('a segment that is gone, or a fact about links that is damaged, changes no answer, and the next run mends it', async () => {
  const vault = createVault({
    ...NOTES,
    'code.md': '# Code\n\nSee [garden](garden.md).\n\n```ts\nwaterPlants(can)\n```\n',
  });
  const first = await vault.open();
  await first.sync({ embed: false });
  const { edges, nodes } = await first.graph();
  expect(edges).not.toEqual([]);
  await first.close();
  const database = new DatabaseSync(join(vault.indexPath, 'index.sqlite'));
  database.exec("DELETE FROM segments WHERE kind = 'code'");
  database.exec(
    "UPDATE meta SET value = '[]' WHERE key = 'linkEdges'; UPDATE meta SET value = '{' WHERE key = 'communities'",
  );
  database.close();
  const second = await vault.open();
  expect(paths(await second.search('waterPlants', { mode: 'code', minConfidence: 0 }))).toEqual(['code.md']);
  expect(await second.graph()).toMatchObject({ edges, nodes });
  await second.sync({ embed: false });
  await second.close();
  const third = await vault.open();
  expect((await third.check()).find(({ name }) => name === 'leftovers')).toMatchObject({ state: 'ok' });
  expect(await third.graph()).toMatchObject({ edges, nodes });
});

test('segments of words made by other rules are not used, and go with the next save', async () => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync({ embed: false });
  await first.close();
  const database = new DatabaseSync(join(vault.indexPath, 'index.sqlite'));
  database.exec("UPDATE meta SET value = 'other' WHERE key = 'analysis'");
  const ids = () =>
    database
      .prepare('SELECT id FROM segments')
      .all()
      .map(({ id }) => Number(id));
  const before = new Set(ids());
  const second = await vault.open();
  expect(paths(await second.search('watering', { mode: 'keyword' }))).toEqual(['garden.md']);
  vault.write('new.md', '# Zebra\n\nStripes.\n');
  await second.sync({ embed: false });
  expect(paths(await second.search('watering', { mode: 'keyword' }))).toEqual(['garden.md']);
  expect(before.size).toBeGreaterThan(0);
  expect(ids().filter((id) => before.has(id))).toEqual([]);
  database.close();
});

test('one handle sees what another one wrote', async () => {
  const vault = createVault(NOTES);
  const [reader, writer] = [await vault.open(), await vault.open()];
  await writer.sync();
  expect(paths(await reader.search('sourdough', { topN: 1, minConfidence: 0 }))).toEqual(['bread.md']);
  vault.write('new.md', '# Zebra\n\nStripes.\n');
  await writer.sync();
  expect(paths(await reader.search('zebra', { topN: 1 }))).toEqual(['new.md']);
});

/** Two of them are read together. */
const LONG_TEXT = Array.from({ length: 2_000 }, (_, n) => `Sentence number ${n} of this note.`).join(' ');
const LONG_NOTES = { 'a.md': `A. ${LONG_TEXT}`, 'b.md': `B. ${LONG_TEXT}`, 'c.md': `C. ${LONG_TEXT}` };

test('stopping in the middle keeps what was read, and the next run goes on', async () => {
  const vault = createVault(LONG_NOTES);
  const controller = new AbortController();
  const index = await vault.open();
  const stopped = index.sync({
    embed: false,
    signal: controller.signal,
    onProgress: ({ done }) => done === 2 && controller.abort(new Error('stopped')),
  });
  await expect(stopped).rejects.toThrow('stopped');
  expect((await index.status()).index.documents).toBe(2);
  expect(await index.sync({ embed: false })).toMatchObject({ added: 1, unchanged: 2 });
});

test('progress of a run that goes on counts what was done before', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync();
  vault.write('fourth.md', '# Fourth\n\nA fourth note.\n');
  const seen: string[] = [];
  await index.sync({ onProgress: ({ phase, done, total }) => seen.push(`${phase} ${done} of ${total}`) });
  expect(seen).toEqual(['read 4 of 4', 'embed 3 of 4', 'embed 4 of 4']);
});

test('a part of the files is brought up to date by itself', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync({ embed: false });
  for (const path of ['bread.md', 'ski/wax.md', 'ski/new.md'])
    vault.write(path, `# Changed\n\nQuartz of ${path}.\n`);
  const name = (await index.collections())[0]!.name;
  expect(await index.sync({ only: [`${name}/ski`], embed: false })).toMatchObject({
    added: 1,
    changed: 1,
    removed: 0,
  });
  expect(paths(await index.search('quartz', { mode: 'keyword' })).sort()).toEqual([
    'ski/new.md',
    'ski/wax.md',
  ]);
  expect((await index.sync({ only: [] })).embedded).toBeGreaterThan(0);
  expect(await index.sync()).toMatchObject({ added: 0, changed: 1, unchanged: 3 });
});

test('documents to sync may end in a slash; those of no collection are refused, as are some documents of a rebuild', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync({ embed: false });
  for (const only of [['notes/'], ['notes/ski/']])
    expect(await index.sync({ only, embed: false })).toMatchObject({ added: 0, changed: 0, removed: 0 });
  for (const only of [['bread.md'], ['/'], ['']])
    await expect(index.sync({ only })).rejects.toMatchObject({ code: 'not_found' });
  await expect(index.sync({ only: [], rebuild: true })).rejects.toMatchObject({ code: 'usage' });
  expect(await index.sync({ only: ['notes/ski/'], embed: false })).toMatchObject({ unchanged: 1 });
});

test.each(['chunks', 'documents'])('a damaged segment of %s is made anew', async (kind) => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync({ embed: false });
  const ask = () =>
    vault.open().then((index) => index.search('deep watering', { mode: 'keyword', minConfidence: 0 }));
  const before = await first.search('deep watering', { mode: 'keyword', minConfidence: 0 });
  await first.close();
  const database = new DatabaseSync(join(vault.indexPath, 'index.sqlite'));
  database.prepare('UPDATE segments SET bytes = zeroblob(length(bytes)) WHERE kind = ?').run(kind);
  database.close();
  expect((await ask()).hits).toEqual(before.hits);
});

test('a handle that was open during a rebuild by another one works on the new index', async () => {
  const vault = createVault(NOTES);
  const [a, b] = [await vault.open(), await vault.open()];
  await a.sync({ embed: false });
  await b.sync({ rebuild: true, embed: false });
  vault.write('new.md', '# Zebra\n\nStripes.\n');
  expect(await a.sync({ embed: false })).toMatchObject({ added: 1, unchanged: 3 });
  expect(paths(await b.search('zebra', { mode: 'keyword' }))).toEqual(['new.md']);
});

test('a re-cut that was stopped is finished by the next run, with old rules or new', async () => {
  const vault = createVault(LONG_NOTES);
  const chunksWith = async (maxChars: number, signal?: AbortSignal, onRead?: () => void) => {
    const index = await vault.open({ settings: { chunking: { max_chars: maxChars } } });
    await index.sync({ embed: false, ...(signal && { signal }), onProgress: () => onRead?.() });
    const { chunks } = (await index.status()).index;
    await index.close();
    return chunks;
  };
  const before = await chunksWith(1500);
  const controller = new AbortController();
  await expect(chunksWith(300, controller.signal, () => controller.abort())).rejects.toThrow();
  expect(await chunksWith(1500)).toBe(before);
});

test('vectors made by one handle are seen by another that searched meanwhile', async () => {
  const vault = createVault(NOTES);
  const [reader, writer] = [await vault.open(), await vault.open()];
  await writer.sync({ embed: false });
  await reader.search('dough');
  await writer.sync();
  expect((await reader.search('dough')).index).toMatchObject({ embedded: 3, stale: false });
});

test('a new file time counts at once', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync({ embed: false });
  vault.write('bread.md', NOTES['bread.md']);
  const after = Date.now() - 999_500;
  await index.sync({ embed: false });
  const { hits } = await index.search('dough', { mode: 'keyword', filters: { after }, minConfidence: 0 });
  expect(hits).toHaveLength(1);
});
