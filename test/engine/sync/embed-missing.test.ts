import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Status, SyncProgress } from '../../../src/engine/api.ts';
import { createVault } from '../vault.ts';

test('vectors of a run that is stopped are seen by another handle', async () => {
  const many = Object.fromEntries(Array.from({ length: 140 }, (_, n) => [`${n}.md`, `Note ${n}.\n`]));
  const vault = createVault(many);
  const [reader, writer] = [await vault.open(), await vault.open()];
  await writer.sync({ embed: false });
  await reader.search('note');
  expect((await reader.status()).index).toMatchObject({ embedded: 0, stale: true });
  const controller = new AbortController();
  const seen: Promise<Status>[] = [];
  const stopped = writer.sync({
    signal: controller.signal,
    onProgress({ phase, done }) {
      if (phase !== 'embed' || done === 0) return;
      seen.push(reader.status());
      controller.abort(new Error('stopped'));
    },
  });
  await expect(stopped).rejects.toThrow('stopped');
  // While it was under way, too: status is asked to see how far it is.
  expect((await seen[0])?.index.embedded).toBeGreaterThan(0);
  expect((await reader.search('note')).index.embedded).toBeGreaterThan(0);
});

test('what went and comes back, as by git checkout, is not embedded again', async () => {
  const notes = { 'bread.md': '# Bread\n\nKnead the dough.\n', 'wax.md': '# Wax\n\nIron it on.\n' };
  const vault = createVault(notes);
  const index = await vault.open();
  await index.sync();
  for (const path of Object.keys(notes)) vault.write(path, `# Other\n\nAnother branch of ${path}.\n`);
  expect((await index.status()).keptVectors).toBe(0);
  expect((await index.sync()).embedded).toBe(2);
  expect((await index.sync()).embedded).toBe(0);
  expect((await index.status()).keptVectors).toBe(2);
  for (const [path, text] of Object.entries(notes)) vault.write(path, text);
  expect((await index.sync()).embedded).toBe(0);
  expect((await index.status()).index.stale).toBe(false);
});

test('progress tells the share of the work: short passages are embedded first', async () => {
  const long =
    'The keeper climbs the stairs, trims the wick and writes down the weather of the night. '.repeat(12);
  const vault = createVault({
    ...Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`${n}.md`, `Note ${n}.\n`])),
    ...Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`long-${n}.md`, `${n}. ${long}\n`])),
  });
  const index = await vault.open();
  const seen: SyncProgress[] = [];
  await index.sync({ onProgress: (progress) => void (progress.phase === 'embed' && seen.push(progress)) });
  expect(seen[0]).toMatchObject({ done: 0, total: 136, share: 0 });
  const most = seen.find(({ done }) => done === 128);
  // 128 of 136 passages, and hardly a quarter of their text.
  expect(most?.share ?? 0).toBeLessThan(0.4);
  expect(seen.at(-1)?.share).toBe(1);
});

test('vectors without a passage are looked for only after a change', async () => {
  const vault = createVault({ 'bread.md': '# Bread\n\nKnead the dough.\n' });
  await using index = await vault.open();
  await index.sync();
  const database = new DatabaseSync(join(vault.indexPath, 'index.sqlite'));
  onTestFinished(() => database.close());
  // Vectors of another model are deleted while looking.
  const vectors = () => database.prepare('SELECT count(*) AS count FROM vectors').get()!.count;
  database.exec(
    `INSERT INTO models (name) VALUES ('other');
     INSERT INTO vectors (model, passage, vector, checksum) SELECT max(m.number), v.passage, v.vector, 0 FROM models m, vectors v`,
  );
  await index.sync();
  expect(vectors()).toBe(2);
  vault.write('wax.md', '# Wax\n\nIron it on.\n');
  await index.sync();
  expect(vectors()).toBe(2); // of two passages
});
