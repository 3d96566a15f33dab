import { expect, test } from 'vitest';
import type { Status } from '../../src/engine/api.ts';
import { createVault } from './vault.ts';

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
