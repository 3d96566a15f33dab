/** A document that is found through a symbolic link. */
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

test('a document behind a link goes with the file the link led to, and stays while its root is away', async () => {
  const vault = createVault({
    'bread.md': '# Bread\n\nKnead the dough.\n',
    '.store/rye.md': '# Rye\n\nSour rye keeps for a week.\n',
  });
  symlinkSync(join('.store', 'rye.md'), join(vault.folder, 'rye.md'));
  const index = await vault.open();
  expect(await index.sync({ embed: false })).toMatchObject({ added: 2, skipped: [] });
  renameSync(vault.folder, `${vault.folder}-aside`);
  await expect(index.sync({ embed: false })).rejects.toMatchObject({ code: 'not_found' });
  mkdirSync(vault.folder);
  await expect(index.sync({ embed: false })).rejects.toMatchObject({ code: 'not_found' });
  rmSync(vault.folder, { recursive: true });
  renameSync(`${vault.folder}-aside`, vault.folder);
  expect((await index.status()).index.documents).toBe(2);
  vault.remove('.store/rye.md');
  const skipped = [{ path: 'notes/rye.md', reason: 'broken_link' }];
  expect(await index.sync({ embed: false })).toMatchObject({ removed: 1, unchanged: 1, skipped });
  expect(await index.sync({ embed: false })).toMatchObject({ removed: 0, unchanged: 1, skipped });
  expect((await index.search('rye', { mode: 'keyword' })).hits).toEqual([]);
});
