import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/engine/config.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-collections-')));
mkdirSync(join(work, 'src'));
afterAll(() => rmSync(work, { recursive: true }));

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
