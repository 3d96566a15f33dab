import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/engine/config/config.ts';
import { open } from '../../../src/engine/open.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const work = sharedFolder();
mkdirSync(join(work, 'src'));

const OUTER = '[[collections]]\npath = "."\n';
const INNER = '[[collections]]\npath = "src"\n';

test.each([
  ['the same choice is read once', '', ['.']],
  ['a name of its own', 'name = "code"', ['.', 'src']],
  ['commits', 'kind = "git"', ['.', 'src']],
  ['commits, named as the folder', 'kind = "git"\nname = "src"', ['.', 'src']],
  ['files the outer one does not read', 'include = ["*.log"]', ['.', 'src']],
])('a collection inside another: %s', (_, lines, paths) => {
  const config = join(work, 'docfuse.toml');
  writeFileSync(config, `${OUTER}${INNER}${lines}\n`);
  const { collections } = loadConfig({ config, cwd: work });
  expect(collections.map(({ root }) => root)).toEqual(paths.map((path) => join(work, path)));
});

test('a folder inside one that leaves files out is read for itself', () => {
  const config = join(work, 'docfuse.toml');
  writeFileSync(config, `${OUTER}exclude = ["src"]\n${INNER}`);
  expect(loadConfig({ config, cwd: work }).collections).toHaveLength(2);
});

const FILES = {
  'notes/a.md': '# A\n',
  'notes/b.txt': 'B\n',
  'notes/c.log': 'C\n',
  'notes/old/d.md': '# D\n',
};

test.each([
  ['nothing but the path', 'path = "notes"', ['a.md', 'b.txt', 'old/d.md']],
  ['include', 'path = "notes"\ninclude = ["**/*.md", "*.log"]', ['a.md', 'c.log', 'old/d.md']],
  ['exclude', 'path = "notes"\nexclude = ["old", "*.txt"]', ['a.md']],
  ['both', 'path = "notes"\ninclude = ["**/*.md"]\nexclude = ["old/**"]', ['a.md']],
  ['a name', 'path = "notes"\ninclude = ["a.md"]\nname = "mine"', ['a.md']],
])('docfuse.toml decides what is read, by %s', async (_, lines, paths) => {
  const folder = mkdtempSync(join(work, 'read-'));
  mkdirSync(join(folder, 'notes/old'), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(folder, path), text);
  writeFileSync(join(folder, 'docfuse.toml'), `[[collections]]\n${lines}\n`);
  await using index = await open({ cwd: folder, config: 'docfuse.toml', indexPath: join(folder, 'index') });
  await index.sync({ embed: false });
  const { documents } = await index.list({});
  expect(documents.map(({ path }) => path)).toEqual(paths);
  const name = lines.includes('mine') ? 'mine' : 'notes';
  expect(new Set(documents.map(({ collection }) => collection))).toEqual(new Set([name]));
});

test('a folder is read as the configuration says wherever it is named, so that its index stays the same', () => {
  const config = join(work, 'docfuse.toml');
  writeFileSync(
    config,
    '[[collections]]\nname = "code"\npath = "src"\nexclude = ["drafts/**"]\nlanguage = "de"\n',
  );
  const { collections } = loadConfig({ config, cwd: work });
  expect(collections).toMatchObject([{ name: 'code', exclude: ['drafts/**'], language: 'de' }]);
  expect(loadConfig({ config, cwd: work, roots: ['./src/'] }).collections).toEqual(collections);
  // Another folder, or a judged corpus, takes nothing from it.
  expect(loadConfig({ config, cwd: work, roots: ['.'] }).collections).toMatchObject([{ exclude: [] }]);
  expect(loadConfig({ config, cwd: work, corpora: ['src'] }).collections).toMatchObject([
    { kind: 'corpus', exclude: [] },
  ]);
});
