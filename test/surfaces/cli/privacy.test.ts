/** What is private stays so: no connection to anywhere, nothing readable for others. */
import { existsSync, globSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createPlayground, execute } from './docfuse.ts';

const playground = createPlayground({
  'secret.md': '# Secret\n\nThe password is swordfish.\n',
  'docs/a.md':
    '---\nrelated: [../secret.md, ../../../../etc/passwd, b]\n---\n# Alpha\n\nSee [b](b.md), [s](../secret.md), ![[../secret]] and [p](/etc/passwd).\n',
  'docs/b.md': '# Beta\n\nThe letter after alpha.\n',
  'set/queries.jsonl': '{"_id":"1","text":"letter after alpha"}\n',
  'set/qrels.tsv': 'query-id\tcorpus-id\tscore\n1\tb.md\t1\n',
});
afterAll(() => playground[Symbol.dispose]());

const TRAP = pathToFileURL(join(import.meta.dirname, 'no-network-child.ts')).href;
const log = join(playground.folder, 'trapped.txt');
const trapped = { NODE_OPTIONS: `--import=${TRAP}`, NETWORK_TRAP: log };

test('the trap catches a connection', async () => {
  const env = { ...playground.env, ...trapped };
  const { code } = await execute(['-e', "require('node:net').connect(9)"], { cwd: playground.folder, env });
  expect(code).not.toBe(0);
  expect(readFileSync(log, 'utf8')).toBe('net.connect\n');
});

test('the whole main job needs no network and tries none', async () => {
  playground.write({ 'trapped.txt': '' });
  for (const args of [
    ['index', 'docs'],
    ['search', 'letter after alpha', 'docs'],
    ['read', 'docs/b.md', 'docs'],
    ['related', 'docs/a.md', 'docs'],
    ['list', 'docs'],
    ['status', 'docs'],
    ['doctor', 'docs'],
    ['eval', 'set', '--docs', 'docs'],
  ]) {
    const { code, stderr } = await playground.run(args, { env: trapped });
    expect([args[0], code, code === 0 ? '' : stderr]).toEqual([args[0], 0, '']);
  }
  expect(readFileSync(log, 'utf8')).toBe('');
}, 120_000);

test('nothing outside the folder is read, whatever links and front matter say', async () => {
  symlinkSync('../secret.md', join(playground.folder, 'docs', 'link.md'));
  symlinkSync('..', join(playground.folder, 'docs', 'up'));
  const { stdout } = await playground.run([
    'search',
    'password swordfish',
    'docs',
    '--json',
    '--min-confidence',
    '0',
  ]);
  expect(stdout).not.toContain('The password');
  const related = await playground.run(['related', 'docs/a.md', 'docs', '--json']);
  expect(related.stdout).toContain('docs/b.md');
  expect(related.stdout).not.toMatch(/"title": "Secret"|swordfish|root:/);
  for (const path of [
    '../secret.md',
    'docs/../secret.md',
    'docs/link.md',
    'docs/up/secret.md',
    '/etc/passwd',
  ]) {
    const { code, stdout: text } = await playground.run(['read', path, 'docs']);
    expect([path, code]).toEqual([path, 1]);
    expect(text).not.toMatch(/swordfish|root:/);
  }
});

test.skipIf(process.platform === 'win32')(
  'the index is for its owner alone, side files and lock included',
  () => {
    const files = globSync('.data/docfuse/indexes/**', { cwd: playground.folder, withFileTypes: true });
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['index.sqlite', 'index.sqlite.lock']),
    );
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      if (!existsSync(path)) continue;
      expect([file.name, statSync(path).mode & 0o077]).toEqual([file.name, 0]);
    }
  },
);
