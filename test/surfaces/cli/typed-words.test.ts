/** What people type who know other commands: a question alone, a dash, OR, the flags of grep and ls. */
import { spawn } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { VERSION } from '../../../src/engine/version.ts';
import { chooseIndex } from '../../../src/surfaces/cli/choose-index.ts';
import { indexFiles } from '../../../src/surfaces/operations/index-files.ts';
import type { Operation } from '../../../src/surfaces/operations/operation.ts';
import { search as searchDocuments } from '../../../src/surfaces/operations/search.ts';
import { BIN, createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'keys.md': '# Zebra\n\nRotate your keys every month. #security #yearly\n',
  'guides/rotate.md': '# Apple\n\nHow to rotate keys in the vault. #security\n',
});
utimesSync(join(playground.folder, 'keys.md'), 1_000, 1_000);

beforeAll(async () => {
  expect((await playground.runHere(['index', '--no-embed'])).code).toBe(0);
});
afterAll(() => playground[Symbol.dispose]());

const WORDS = ['--mode', 'keyword', '--no-wait'];
const search = (...args: string[]) => playground.runHere(['search', ...args, ...WORDS]);

test('a question in quotes needs no command', async () => {
  const { code, stdout } = await playground.runHere(['how to rotate keys', ...WORDS, '--files']);
  expect([code, stdout]).toEqual([0, 'guides/rotate.md\nkeys.md\n']);
  expect((await playground.runHere(['-q', '--mode', 'keyword', 'rotate keys', '-n', '1'])).stdout).toContain(
    'rotate.md:',
  );
});

test('one word alone is a command that is not there, and how to search for it is said', async () => {
  const { code, stderr } = await playground.runHere(['serach']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('Did you mean docfuse search? To search for it: docfuse search serach.'),
  ]);
  // Two letters in the wrong order are one slip: `init` and `add` are no nearer.
  const swapped = [await playground.runHere(['lsit']), await playground.runHere(['raed'])];
  expect(swapped.map((each) => /Did you mean docfuse (\w+)/.exec(each.stderr)?.[1])).toEqual([
    'list',
    'read',
  ]);
  const lost = await playground.runHere(['serach', 'rotate', 'old keys', '-n', '3']);
  expect(lost.stderr).toContain(
    'Did you mean docfuse search rotate "old keys" -n 3? To search for it: docfuse search "serach rotate old keys" -n 3.',
  );
  const { folder } = playground;
  const placed = await playground.runHere(['rotate', folder]);
  expect(placed.stderr).toContain(`To search for it: docfuse search rotate ${folder}.`);
});

test.each([
  ['rotate keys\n', 0, 'rotate.md:', ''],
  ['  \n', 2, '', 'Standard input holds no query.'],
])('docfuse search - reads %j from standard input', async (given, code, out, said) => {
  const child = spawn(process.execPath, [BIN, 'search', '-', ...WORDS], {
    cwd: playground.folder,
    env: playground.env,
  });
  child.stdin.end(given);
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = await new Promise((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await printed;
  expect([ended, stdout, stderr]).toEqual([
    code,
    expect.stringContaining(out),
    expect.stringContaining(said),
  ]);
});

test.each([
  ['keys OR vault', 'OR is read as a word'],
  ['keys NOT vault', 'to exclude a word, write a minus before that word'],
  ['after:2025-01-01 keys', 'after: was searched for as a word. Give the date as a filter beside the query.'],
  ['titel:keys', 'There is no filter titel:, so it was searched for as a word. Did you mean title:?'],
  ['guides', 'To search in it: docfuse search QUERY guides'],
])('docfuse search %j says what it did not understand', async (query, said) => {
  expect((await search(query)).stderr).toContain(said);
});

test('where nothing is indexed, the name of a folder is no query', async () => {
  using other = createPlayground({ 'docs/keys.md': '# Keys\n\nRotate them.\n' });
  const found = (...args: readonly string[]) => other.runHere([...args, ...WORDS]);
  expect(await found('search', 'docs')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'To search in that folder: docfuse search QUERY docs. To search the working directory for that word: docfuse search docs ./',
    ),
  });
  expect((await other.runHere(['indexes'])).stdout).not.toContain(other.folder);
  expect((await found('search', 'keys', '.')).stdout).toContain('docs/keys.md:');
  // There is an index now.
  expect((await found('search', 'docs')).stderr).toContain('was searched for as a word');
});

test.each([
  ['for a query', searchDocuments, { query: 'keys' }, 'docfuse search QUERY FOLDER'],
  ['by docfuse index', indexFiles, {}, 'docfuse index FOLDER'],
])(
  'a home or a drive is not indexed %s, unless it is named',
  async (_, operation: Operation, input, better) => {
    vi.stubEnv('XDG_DATA_HOME', join(playground.folder, 'none'));
    for (const cwd of [userInfo().homedir, '/']) {
      const refused = chooseIndex({ cwd }, input, operation, () => {});
      await expect(refused).rejects.toMatchObject({
        code: 'usage',
        remedy: `Name a folder: ${better}. If you mean all of it: docfuse index .`,
      });
      const named = chooseIndex({ cwd, roots: ['.'] }, input, operation, () => {});
      expect(await named).toEqual({ open: { cwd, roots: ['.'] } });
    }
    vi.unstubAllEnvs();
  },
);

test.each(['"keys OR vault"', 'https://keys.example', 'order keys', 'keys'])(
  'nothing of the kind is said of %j',
  async (query) => {
    expect((await search(query)).stderr).not.toMatch(/read as a word|no filter|is a folder/);
  },
);

test.each([['-V'], ['--version'], ['version']])('docfuse %s', async (word) => {
  expect(await playground.runHere([word])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
});

test('bare docfuse prints a short help', async () => {
  const { code, stdout, stderr } = await playground.runHere([]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').length).toBeLessThan(12);
  expect(stdout).toContain('docfuse --help lists all commands');
});

test('--color always colours a pipe, never and a wrong value do not', async () => {
  const colored = (stdout: string) => stdout.includes('\u001b[');
  expect(colored((await search('keys', '--color', 'always')).stdout)).toBe(true);
  expect(colored((await search('keys', '--color', 'auto')).stdout)).toBe(false);
  const env = { FORCE_COLOR: '1' };
  expect(
    colored((await playground.runHere(['search', 'keys', ...WORDS, '--color', 'never'], { env })).stdout),
  ).toBe(false);
  expect((await search('keys', '--color', 'red')).stderr).toContain(
    '“red” is not one of auto, always, never',
  );
});

test('--jsonl prints one hit a line', async () => {
  const { stdout, stderr } = await search('keys', '--jsonl');
  const hits = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(hits.map(({ rank }) => rank)).toEqual([1, 2]);
  expect(stderr).toBe('');
  expect((await search('keys', '--jsonl', '--files')).code).toBe(2);
});

test.each([
  ['keys', 0],
  ['zzyzzx', 1],
])('--exit-status of %s is %d', async (query, code) => {
  expect((await search(query, '--exit-status')).code).toBe(code);
  expect((await search(query)).code).toBe(0);
});

test('--limit counts hits as it counts documents of a list, and not both ways at once', async () => {
  expect((await search('keys', '--limit', '1', '--files')).stdout.trimEnd().split('\n')).toHaveLength(1);
  expect((await search('keys', '--limit', '1', '-n', '2')).code).toBe(2);
});

test('lists are ordered as asked, page by page, and whole in a pipe', async () => {
  const list = async (...args: string[]) => (await playground.runHere(['list', ...args])).stdout;
  expect(await list()).toBe('guides/rotate.md  Apple\nkeys.md  Zebra\n');
  expect(await list('--sort', 'title')).toBe('guides/rotate.md  Apple\nkeys.md  Zebra\n');
  expect(await list('--sort', 'date')).toMatch(
    /^guides\/rotate.md {2}\S+ {2}Apple\nkeys.md {2}\S+ {2}Zebra\n$/,
  );
  utimesSync(join(playground.folder, 'keys.md'), 4_000_000_000, 4_000_000_000);
  await playground.runHere(['index', '--no-embed']);
  const { documents, next_cursor } = JSON.parse(await list('--sort', 'date', '-n', '1', '--json'));
  expect(documents[0].path).toBe('keys.md');
  expect(await list('--sort', 'date', '--cursor', next_cursor)).toMatch(
    /^guides\/rotate.md {2}\S+ {2}Apple\n$/,
  );
  const other = await playground.runHere(['list', '--cursor', next_cursor]);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('in this order')]);
  playground.write(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`many/${n}.md`, `# ${n}\n`])));
  await playground.runHere(['index', '--no-embed']);
  expect((await list()).trimEnd().split('\n')).toHaveLength(62);
});

test('list tags -n names the most frequent', async () => {
  expect((await playground.runHere(['list', 'tags', '-n', '1'])).stdout).toBe('security  2\n');
});
