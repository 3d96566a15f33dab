/** An index that was cut by other rules, as by a version before, while some of its files cannot be had. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { defineRowChecksum } from '../../support/make-older.ts';
import { createVault } from '../vault.ts';

/** What another reader would have noted. */
function noteReader(indexPath: string, version: number): void {
  const database = new DatabaseSync(join(indexPath, 'index.sqlite'));
  defineRowChecksum(database);
  database.exec(`
    UPDATE meta SET value = json_quote(CAST(json_set(value ->> '$', '$.reader', ${version}) AS TEXT)) WHERE key = 'fingerprint';
    UPDATE meta SET checksum = row_checksum(key, value)`);
  database.close();
}

test('what cannot be had is read when it can, and the rest is not read again until then', async () => {
  const vault = createVault({ 'bread.md': '# Bread\n', 'rye.md': '# Rye\n' });
  const [away, elsewhere] = [`${vault.folder}-more`, `${vault.folder}-gone`];
  mkdirSync(away);
  for (const name of ['ski.md', 'wax.md']) writeFileSync(join(away, name), `# ${name}\n`);
  const roots = [vault.folder, away];
  const first = await vault.open({ roots });
  await first.sync({ embed: false });
  await first.close();
  noteReader(vault.indexPath, 1000);
  renameSync(away, elsewhere);

  const index = await vault.open({ roots });
  const run = () => index.sync({ embed: false });
  expect(await run()).toMatchObject({ changed: 2, unchanged: 0 });
  expect(await run()).toMatchObject({ changed: 0, unchanged: 2 });
  vault.write('rye.md', '# Rye bread\n');
  expect(await index.sync({ embed: false, only: ['notes/rye.md'] })).toMatchObject({ changed: 1 });
  expect((await index.list()).total).toBe(4);
  const leftovers = async () => (await index.check()).find(({ detail }) => /other rules/.test(detail));
  expect(await leftovers()).toBeDefined();

  renameSync(elsewhere, away);
  expect(await run()).toMatchObject({ changed: 2, unchanged: 2 });
  expect(await run()).toMatchObject({ changed: 0, unchanged: 4 });
  expect(await leftovers()).toBeUndefined();
});

test('an index of the reader that kept markup is read again, though no file has changed', async () => {
  const vault = createVault({ 'a.mdx': "import A from './a'\n\n## Rye {#rye}\n\n<A>Knead it.</A>\n" });
  const first = await vault.open();
  await first.sync({ embed: false });
  await first.close();
  noteReader(vault.indexPath, 6);

  const index = await vault.open();
  expect(await index.sync({ embed: false })).toMatchObject({ changed: 1, unchanged: 0 });
  expect(await index.sync({ embed: false })).toMatchObject({ changed: 0, unchanged: 1 });
  const { hits } = await index.search('knead', { mode: 'keyword', minConfidence: 0 });
  expect(hits[0]).toMatchObject({ headingPath: ['a', 'Rye'], snippet: { text: 'Knead it.', startLine: 5 } });
});
