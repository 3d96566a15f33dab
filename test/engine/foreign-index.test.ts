/** An index of another user of the machine is read and never written; only the superuser may give files away to try it on. */
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

test.skipIf(process.getuid?.() !== 0)(
  'nothing is written where another user would read it (only as root)',
  async () => {
    const vault = createVault({ 'bread.md': '# Bread\n\nKnead the dough.\n' });
    const index = await vault.open();
    await index.sync({ embed: false });
    const { indexPath } = await index.status();
    await index.close();
    const file = join(indexPath, 'index.sqlite');
    /** What a reader leaves beside the database is empty, or holds no text. */
    const texts = () =>
      readdirSync(indexPath)
        .filter((name) => !name.endsWith('-shm') && statSync(join(indexPath, name)).size > 0)
        .map((name) => [
          name,
          createHash('sha256')
            .update(readFileSync(join(indexPath, name)))
            .digest('hex'),
        ]);
    vault.write('diary.md', '# Diary\n\nMy secret.\n');
    for (const name of ['index.sqlite', 'index.sqlite-wal', 'index.sqlite.lock', 'index.sqlite.new']) {
      const planted = join(indexPath, name);
      const isNew = !readdirSync(indexPath).includes(name);
      if (isNew) writeFileSync(planted, '');
      chownSync(planted, 65534, 65534);
      chmodSync(planted, 0o666);
      const before = texts();
      const opened = await vault.open();
      for (const options of [{ embed: false }, { embed: false, rebuild: true }]) {
        await expect(opened.sync(options)).rejects.toMatchObject({
          code: 'storage',
          message: `${planted} belongs to user 65534, not to you, so nothing is written to this index.`,
        });
      }
      const { hits } = await opened.search('dough', { mode: 'keyword', minConfidence: 0 });
      expect(hits.map(({ path }) => path)).toEqual(['bread.md']);
      await opened.close();
      expect(texts()).toEqual(before);
      chownSync(planted, 0, 0);
      if (isNew) rmSync(planted, { force: true });
      for (const left of ['-wal', '-shm']) rmSync(file + left, { force: true });
    }
    const own = await vault.open();
    expect(await own.sync({ embed: false })).toMatchObject({ added: 1 });
    await own.close();
  },
);
