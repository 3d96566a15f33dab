/** An index of a folder serves the folders in it; indexes are listed and deleted. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, createPlayground, execute } from './docfuse.ts';
import { executeHere } from './execute-here.ts';

const ROTATE = '# Rotation\n\nHow to rotate keys in the vault.\n';
const playground = createPlayground({
  'notes/keys.md': '# Keys\n\nRotate your keys every month.\n',
  'notes/guides/rotate.md': ROTATE,
  'notes/guides/deep/a[b]/more.md': `${ROTATE}\nTwice a year.\n`,
  'other/tyres.md': '# Tyres\n\nRotate tyres.\n',
});
const INDEXES = join(playground.folder, '.data/docfuse/indexes');
const NOTES = join(playground.folder, 'notes');

beforeAll(async () => {
  expect((await playground.runHere(['index', 'notes', '--no-embed'])).code).toBe(0);
});
afterAll(() => playground[Symbol.dispose]());

/** Runs a command in a folder, without vectors. */
function runIn(folder: string, ...args: string[]) {
  return executeHere([BIN, ...args], { cwd: join(playground.folder, folder), env: playground.env });
}
const search = (folder: string, ...args: string[]) =>
  runIn(folder, 'search', 'rotate', '--mode', 'keyword', '--no-wait', ...args);

test('in a folder below an indexed one, that index is asked, narrowed to the folder, and a line says so', async () => {
  const { stdout, stderr, code } = await search('notes/guides');
  expect(code).toBe(0);
  expect(stderr).toContain(
    `Using the index of ${NOTES}, narrowed to guides; --new-index makes another one.\n`,
  );
  expect(stdout).toContain('rotate.md:');
  expect(stdout).not.toContain('keys.md');
  expect(readdirSync(INDEXES)).toHaveLength(1);
});

test('above an indexed folder, a command that only reads names that folder', async () => {
  const below =
    'Below this folder there is an index of notes. To use it, end the command with that folder.\n';
  expect((await runIn('.', 'status')).stderr).toContain(below);
  expect((await runIn('.', 'doctor')).stderr).toContain(below);
  expect((await runIn('.', 'read', 'keys.md')).stderr).toMatch(
    new RegExp(`^${below}error: There is no index of`),
  );
  expect((await runIn('notes', 'status')).stderr).not.toContain('Below');
  expect((await runIn('other', 'status')).stderr).not.toContain('Below');
});

test('a folder that is named is found as one stood in, and letters of globs in its name are letters', async () => {
  const { stdout } = await search('.', 'notes/guides/deep/a[b]', '--json');
  expect(JSON.parse(stdout).hits.map(({ path }: { path: string }) => path)).toEqual([
    'guides/deep/a[b]/more.md',
  ]);
});

test('path filters are those of the folder, or of the root, as JSON has them', async () => {
  expect((await search('notes/guides', '--path', 'deep', '--files')).stdout).toBe('deep/a[b]/more.md\n');
  expect((await search('notes/guides', '--exclude', 'deep', '--files')).stdout).toBe('rotate.md\n');
  for (const path of ['guides/rotate.md:3', 'notes/guides/rotate.md', 'guides/*.md'])
    expect((await search('notes/guides', '--path', path, '--files')).stdout).toBe('rotate.md\n');
});

test.each([
  [['list'], 'deep/a[b]/more.md  Rotation\nrotate.md  Rotation\n'],
  [['read', 'rotate.md'], ROTATE],
  [['index', '--dry-run'], '3 unchanged'],
  [['status'], 'notes: 3 documents'],
  [['doctor'], 'is undamaged (documents: 3,'],
])('docfuse %s asks it, too', async (args, expected) => {
  const { stdout, stderr } = await runIn('notes/guides', ...args);
  expect(stdout + stderr).toContain(expected);
  expect(stderr).toContain('Using the index of');
});

test('--new-index makes one of the folder alone, and from then on that one is asked', async () => {
  const { stderr } = await search('notes/guides/deep', '--new-index');
  expect(stderr).not.toContain('Using the index');
  expect(readdirSync(INDEXES)).toHaveLength(2);
  expect((await search('notes/guides/deep')).stderr).not.toContain('Using the index');
});

test.each([
  ['an index that is named', ['--index', join(playground.folder, '.named')]],
  ['a configuration that is nearer', ['--config', join(playground.folder, 'notes/guides/near.toml')]],
])('%s holds', async (_, args) => {
  playground.write({ 'notes/guides/near.toml': '[[collections]]\npath = "deep"\nname = "mine"\n' });
  expect((await search('notes/guides', ...args)).stderr).not.toContain('Using the index');
});

test('of two indexes that hold the folder, the one with the nearer root is asked', async () => {
  playground.write({ 'tree/a/b/c/leaf.md': ROTATE });
  for (const root of ['tree', 'tree/a/b']) await runIn('.', 'index', root, '--no-embed', '--new-index');
  const { stderr } = await search('tree/a/b/c');
  expect(stderr).toContain(`Using the index of ${join(playground.folder, 'tree/a/b')}, narrowed to c;`);
});

test('one index of two folders serves each of them', async () => {
  await runIn('.', 'index', 'other', 'tree/a', '--no-embed', '--new-index');
  const { stdout, stderr } = await search('other', '--files');
  expect(stdout).toBe('tyres.md\n');
  expect(stderr).toContain(`narrowed to ${join(playground.folder, 'other')};`);
});

test('indexes are listed with size, last use and folders, and one is deleted by name or folder', async () => {
  const { stdout, stderr } = await runIn('.', 'indexes');
  expect(stdout).toMatch(/^notes-[0-9a-f]{12} +[\d.]+ KB {2}\d{4}-\d\d-\d\d {2}\/.*\/notes$/m);
  expect(stderr).toMatch(/^\d indexes, [\d.]+ [KM]B, in \//);
  expect((await runIn('.', 'indexes', 'list')).stdout).toBe(stdout);
  const { indexes } = JSON.parse((await runIn('.', 'indexes', '--json')).stdout) as {
    readonly indexes: readonly {
      readonly name: string;
      readonly folder: string;
      readonly roots: readonly string[];
    }[];
  };
  const deep = indexes.find(({ roots }) => roots[0] === join(NOTES, 'guides/deep'))!;
  expect((await runIn('.', 'indexes', 'rm', deep.name)).stderr).toMatch(/deleted, [\d.]+ KB freed\.\n$/);
  expect(existsSync(deep.folder)).toBe(false);
  expect((await runIn('.', 'indexes', 'rm', 'tree')).code).toBe(0);
  expect((await runIn('.', 'indexes')).stdout).not.toContain(`/tree\n`);
});

test('a wrong name is an error with the nearest one, a unique beginning will do, and judgements beside an index stay', async () => {
  playground.write({ 'pair-1/a.md': ROTATE, 'pair-2/a.md': ROTATE });
  for (const folder of ['pair-1', 'pair-2']) await runIn('.', 'index', folder, '--no-embed');
  const several = await runIn('.', 'indexes', 'rm', 'pair');
  expect([several.code, several.stderr]).toEqual([
    2,
    expect.stringMatching(/^error: 2 indexes begin with pair\.\nWrite pair-1-\w+ or pair-2-\w+\.\n$/),
  ]);
  const [name = ''] = readdirSync(INDEXES).filter((each) => each.startsWith('notes-'));
  const wrong = await runIn('.', 'indexes', 'rm', name.replace('notes', 'nodes'));
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining(`\nDid you mean ${name}?`)]);
  playground.write({ [`.data/docfuse/indexes/${name}/judged/queries.jsonl`]: '{}\n' });
  const { stderr } = await runIn('.', 'indexes', 'rm', name.slice(0, 8));
  expect(stderr).toContain('that are not part of the index stay.');
  expect(existsSync(join(INDEXES, name, 'judged/queries.jsonl'))).toBe(true);
  expect((await runIn('.', 'indexes')).stdout).not.toContain(name);
});

test('a path that is not there leaves no index behind', async () => {
  const before = readdirSync(INDEXES);
  for (const command of [
    ['index', 'nope'],
    ['search', 'rotate', 'nope'],
  ]) {
    const { code, stderr } = await runIn('.', ...command);
    expect([code, stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('There is no file or folder'),
    ]);
  }
  expect(readdirSync(INDEXES)).toEqual(before);
});

test.each([
  [['search', 'how', 'do', 'I', 'rotate'], true],
  [['search', 'rotate', 'nosuch'], true],
  [['search', 'rotate', 'guides', 'nosuch'], true],
  [['list', 'nosuch'], false],
])(
  'below an indexed folder, a path that is neither on disk nor in the index is an error: %s',
  async (args, quotes) => {
    await runIn('.', 'index', 'notes', '--no-embed', '--new-index');
    const { code, stderr } = await runIn('notes', ...args);
    const expected = expect.stringMatching(/^error: There is no file or folder \S+\nCheck the path\./);
    expect([code, stderr]).toEqual([1, expected]);
    expect(stderr.includes('Put a query of several words in quotes.')).toBe(quotes);
  },
);

test('a folder of which the index has nothing says so, and why', async () => {
  playground.write({ 'notes/images/a.png': '' });
  await runIn('.', 'index', 'notes', '--no-embed', '--new-index');
  const said = `The index of ${NOTES} has no documents below images: an ignore file or a setting leaves it out, or it holds no Markdown; --new-index makes a separate index.`;
  for (const command of [['search', 'rotate', '--mode', 'keyword'], ['list']])
    expect((await runIn('notes', ...command, 'images')).stderr).toContain(said);
});

test.each([
  ['node_modules/pkg', 'node_modules/pkg'],
  ['npm:pkg', 'node_modules/pkg'],
  ['.hid', '.hid'],
])('a folder that no folder above reads has an index of its own: %s', async (asked, folder) => {
  playground.write({ [`notes/${folder}/a.md`]: '# A\n\nRotate the wheel.\n' });
  await runIn('.', 'index', 'notes', '--no-embed', '--new-index');
  const { stdout, stderr } = await search('notes', asked);
  expect(stdout).toContain(`${folder}/a.md:`);
  expect(stderr).not.toContain('Using the index');
});

test('a list names the filter that nothing passes as a search does', async () => {
  for (const command of [['search', 'rotate', '--mode', 'keyword'], ['list']]) {
    const { stderr } = await runIn('notes', ...command, '--path', './nosuch');
    expect(stderr).toContain('No document passes the filter path:notes/nosuch.');
  }
});

test('a configuration file in a named folder is not read, and a line says how it is', async () => {
  using there = createPlayground({ 'notes/a.md': '# A\n', 'notes/docfuse.toml': '[search]\ntop_n = 3\n' });
  const run = (...args: readonly string[]) => there.runHere(['index', '--no-embed', ...args]);
  const file = join('notes', 'docfuse.toml');
  expect((await run('notes')).stderr).toContain(
    `${file} is not read here. Run the command in that folder, or add --config ${file}.\n`,
  );
  expect((await run('notes', '--config', file)).stderr).not.toContain('not read');
  expect((await run('notes', '--quiet')).stderr).toBe('');
  there.write({ 'docfuse.toml': '' });
  expect((await run('.')).stderr).not.toContain('not read');
});

test('a command in one folder of a named index is refused, and removes nothing of the others', async () => {
  const index = ['--index', join(playground.folder, 'named-index')];
  await runIn('.', 'index', 'notes', 'other', '--no-embed', ...index);
  const { code, stderr } = await runIn('other', 'index', '--no-embed', ...index);
  expect([code, stderr]).toEqual([2, expect.stringContaining('is asked for')]);
  const { stdout } = await runIn('.', 'index', 'notes', 'other', '--no-embed', ...index);
  expect(stdout).toMatch(/^Files: \d+ unchanged\./);
});

test('mcp, which must not read the rest, makes a second index of a folder below, and says so, as mcp install does', async () => {
  playground.write({ 'solo/in/a.md': ROTATE });
  await runIn('.', 'index', 'solo', '--no-embed');
  const [cwd, root] = [join(playground.folder, 'solo/in'), join(playground.folder, 'solo')];
  const install = ['mcp', 'install', '--client', 'claude-code'];
  const way = `to share the index of ${root}, run docfuse mcp`;
  expect((await runIn('solo/in', ...install)).stderr).toContain(
    `${way} install --client claude-code ${root}.\n`,
  );
  expect((await runIn('solo', ...install)).stderr).not.toContain('separate index');
  const served = await execute([BIN, 'mcp'], { cwd, env: playground.env }, (child) => child.stdin?.end());
  expect(served.stderr).toContain(`${way} ${root}.\n`);
});
