import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { createVault } from '../vault.ts';

test('a segment without the words of a changed document is saved in the place of the former one', async () => {
  const notes = Array.from({ length: 30 }, (_, n) => [
    `${n}.md`,
    `# Note ${n}\n\nA ${n === 7 ? 'lantern' : 'bell'} over the gate.\n`,
  ]);
  const vault = createVault(Object.fromEntries(notes));
  const segments = () => {
    const store = openSqliteStore(join(vault.indexPath, 'index.sqlite'), { readOnly: true });
    const all = [...store.segments.read('chunks')].map(({ id, bytes }) => ({ id, length: bytes.length }));
    store.close();
    return all;
  };
  await using index = await vault.open();
  await index.sync({ embed: false });
  const [first, ...others] = segments();
  expect(others).toEqual([]);

  writeFileSync(join(vault.folder, '7.md'), '# Note 7\n\nA windlass.\n');
  await index.sync({ embed: false });
  expect(segments()).toEqual([first, expect.anything()]);
  await using again = await vault.open();
  const pathsWith = async (word: string) =>
    (await again.search(word, { mode: 'keyword', minConfidence: 0 })).hits.map(({ path }) => path);
  expect([await pathsWith('windlass'), await pathsWith('lantern')]).toEqual([['7.md'], []]);
  expect((await pathsWith('bell')).length).toBeGreaterThan(0);
});
