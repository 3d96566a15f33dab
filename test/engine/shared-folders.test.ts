/** Two collections that read the same folders: each is told of what changes there. */
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { open } from '../../src/engine/open.ts';
import { keepFresh } from '../../src/engine/watch/keep-fresh.ts';
import { found } from './kept.ts';
import { createVault } from './vault.ts';

const LATE = { timeout: 25_000, interval: 20 };

test.each([
  ['the same folder', 'notes', 'notes'],
  ['a folder and one inside it', 'notes', 'notes/garden'],
  ['a folder and one around it', 'notes/garden', 'notes'],
])('of %s files of either that come, change and go are followed', async (_, prose, plain) => {
  const vault = createVault({
    'garden/beans.md': '# Beans\n\nSow in May.\n',
    'garden/beans.txt': 'Sow in June.\n',
    'garden/plan.pdf': 'No document, but a folder that is not empty.',
  });
  const cwd = dirname(vault.folder);
  const collection = (name: string, path: string, glob: string) =>
    `[[collections]]\nname = "${name}"\npath = "${path}"\ninclude = ["${glob}"]\n`;
  const config = collection('prose', prose, '*.md') + collection('plain', plain, '*.txt');
  writeFileSync(join(cwd, 'docfuse.toml'), config);
  const fresh = keepFresh(await open({ cwd, indexPath: vault.indexPath }));
  onTestFinished(() => fresh.close());
  await fresh.sync({ embed: false });
  const finds = (query: string, names: readonly string[]) =>
    vi.waitFor(async () => {
      expect((await found(fresh, query)).map((path) => basename(path)).sort()).toEqual(names);
    }, LATE);
  await finds('sow', ['beans.md', 'beans.txt']);
  for (const kind of ['md', 'txt']) {
    vault.write(`garden/beans.${kind}`, 'Harvest in August.\n');
    await finds('harvest', [`beans.${kind}`]);
    vault.write(`garden/peas.${kind}`, 'Pick them young.\n');
    await finds('young', [`peas.${kind}`]);
    vault.remove(`garden/peas.${kind}`);
    await finds('young', []);
    vault.remove(`garden/beans.${kind}`);
    await finds('harvest', []);
  }
});
