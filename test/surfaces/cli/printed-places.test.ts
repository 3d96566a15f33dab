/** What is printed can be used: places are taken as they are printed, are links on a terminal, and open in an editor. */
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, createPlayground } from './docfuse.ts';
import { executeHere } from './execute-here.ts';

const playground = createPlayground({
  'notes/top.md': '# Top\n\nNothing of it.\n',
  'notes/guides/how to.md': '# Rotation\n\nFirst some words.\n\nThen rotate the zebra keys.\nAnd done.\n',
  'editor.sh': '#!/bin/sh\nprintf \'%s\\n\' "$@" > "$OUT"\nexit "$CODE"\n',
});
const FILE = join(playground.folder, 'notes/guides/how to.md');
const editor = join(playground.folder, 'editor.sh');
chmodSync(editor, 0o755);

beforeAll(async () => {
  expect((await playground.runHere(['index', 'notes', '--no-embed'])).code).toBe(0);
});
afterAll(() => playground[Symbol.dispose]());

function runIn(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return executeHere([BIN, ...args], {
    cwd: join(playground.folder, folder),
    env: { ...playground.env, ...env },
  });
}
const search = (folder: string, ...args: string[]) =>
  runIn(folder, ['search', 'zebra keys', '--mode', 'keyword', '--no-wait', ...args]);

test.each([
  ['notes/guides', [], 'how to.md:5'],
  ['notes', [], 'guides/how to.md:5'],
  ['.', ['notes'], 'notes/guides/how to.md:5'],
])(
  'from %s a hit is a path from there and the line that matches, which read, related and --path take',
  async (folder, paths, place) => {
    const { stdout } = await search(folder, ...paths);
    expect(stdout).toMatch(new RegExp(`^${place}  Rotation`));
    expect((await runIn(folder, ['read', place, ...paths])).stdout).toMatch(/^Then rotate/);
    expect((await runIn(folder, ['related', place, ...paths])).code).toBe(0);
    expect((await search(folder, ...paths, '--path', place, '--files')).stdout.trim()).toBe(
      place.replace(':5', ''),
    );
  },
);

test('what a hit of one folder prints is taken in another', async () => {
  const { stdout } = await search('notes/guides', '--path', '../guides/how to.md:5', '--files');
  expect(stdout).toBe('how to.md\n');
});

test.each([
  ['elsewhere', '../notes/guides/how to.md:5'],
  ['elsewhere', `${FILE}:5`],
  ['.', 'notes/guides/how to.md:5'],
])('from %s, which no index holds, read, related and --path take %s', async (folder, place) => {
  mkdirSync(join(playground.folder, 'elsewhere'), { recursive: true });
  const indexes = () => readdirSync(join(playground.folder, '.data/docfuse/indexes'));
  const before = indexes();
  const { stdout, stderr } = await runIn(folder, ['read', place]);
  expect(stdout).toMatch(/^Then rotate/);
  expect(stderr).toBe(`Using the index of ${join(playground.folder, 'notes')}.\n`);
  expect((await runIn(folder, ['related', place])).code).toBe(0);
  const { hits } = JSON.parse((await search(folder, '--path', place, '--json')).stdout);
  expect(hits).toMatchObject([{ file: FILE }]);
  expect(indexes()).toEqual(before);
});

test('a document without its extension, too, and a folder that no index holds is not asked to hold one', async () => {
  const env = { XDG_DATA_HOME: join(playground.folder, 'data') };
  expect((await runIn('.', ['index', 'notes', '--no-embed'], env)).code).toBe(0);
  for (const name of ['notes/guides/how to', 'notes/guides/how to:5', 'notes/guides/how to#rotation']) {
    expect(await runIn('.', ['read', name], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Then rotate'),
      stderr: `Using the index of ${join(playground.folder, 'notes')}.\n`,
    });
    expect((await runIn('.', ['related', name], env)).code).toBe(0);
  }
  expect((await runIn('.', ['read', 'notes/guides/hwo to.md'], env)).stderr).toContain(
    'Did you mean notes/guides/how to.md?',
  );
  const { code, stderr } = await runIn('.', ['read', 'how to.md'], env);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`There is no index of ${playground.folder}.\n`),
  ]);
  expect((await runIn('.', ['search', 'zebra'], env)).stderr).toMatch(
    /would lie among the documents of \S+\.\nChoose another folder of documents, or set --index to a hidden folder or a folder elsewhere\.\n$/,
  );
});

test.each(['../nowhere', '../editor.sh'])(
  '--path %s, which no index holds, is an error, and no index is made of this folder',
  async (path) => {
    mkdirSync(join(playground.folder, 'elsewhere'), { recursive: true });
    const { code, stderr } = await search('elsewhere', '--path', path);
    expect([code, stderr]).toEqual([1, expect.stringContaining('No index holds ')]);
    expect(readdirSync(join(playground.folder, '.data/docfuse/indexes')).join()).not.toContain('elsewhere');
  },
);

test('a file of this folder is meant before one of the same name further up', async () => {
  playground.write({ 'twins/a.md': '# Outer\n', 'twins/in/a.md': '# Inner\n' });
  await playground.runHere(['index', 'twins', '--no-embed']);
  expect((await runIn('twins/in', ['read', 'a.md'])).stdout).toBe('# Inner\n');
});

test('JSON has the absolute path and the line', async () => {
  const { hits } = JSON.parse((await search('notes', '--json')).stdout);
  expect(hits[0]).toMatchObject({ file: FILE, line: 5 });
});

test('a root that is one file is that file', async () => {
  const { hits } = JSON.parse((await search('.', 'notes/guides/how to.md', '--new-index', '--json')).stdout);
  expect(hits[0].file).toBe(FILE);
});

test('a place is a link where links are asked for', async () => {
  const { stdout } = await search('notes', '--color', 'always');
  expect(stdout).toContain(`\u001b]8;;${pathToFileURL(FILE)}\u0007`);
  expect((await search('notes')).stdout).not.toContain('\u001b');
});

test.each([
  ['vim', ['+5', FILE]],
  ['code', ['--goto', `${FILE}:5`]],
  ['hx', [`${FILE}:5`]],
  ['webstorm', ['--line', '5', FILE]],
  ['unheard-of', [FILE]],
])('--open starts %s at the line', async (name, expected) => {
  playground.write({ [`bin/${name}`]: readFileSync(editor) });
  chmodSync(join(playground.folder, 'bin', name), 0o755);
  const out = join(playground.folder, 'opened');
  const env = {
    VISUAL: `'${join(playground.folder, 'bin', name)}' --flag`,
    EDITOR: 'nothing',
    OUT: out,
    CODE: '0',
  };
  expect((await runIn('notes', ['search', 'zebra keys', '--mode', 'keyword', '--open'], env)).code).toBe(0);
  expect(readFileSync(out, 'utf8').trimEnd().split('\n')).toEqual(['--flag', ...expected]);
});

test.each([
  [1, ['--open'], {}, 'Neither VISUAL nor EDITOR names an editor.'],
  [1, ['--open'], { EDITOR: '/nowhere/vim' }, 'The editor /nowhere/vim that EDITOR names cannot be started.'],
  [
    1,
    ['--open'],
    { EDITOR: '/no where/vim' },
    `or install the editor. A path with blanks needs quotes of its own`,
  ],
  [1, ['--open'], { EDITOR: editor, OUT: '/dev/null', CODE: '3' }, 'ended with exit code 3.'],
  [1, ['--open'], { VISUAL: ' ', EDITOR: editor, OUT: '/dev/null', CODE: '3' }, 'ended with exit code 3.'],
  [2, ['--open', '9'], { EDITOR: editor }, 'There is no hit 9 to open.'],
  [2, ['--open', 'notes'], { EDITOR: editor }, '“notes” is not a number. Put --open after the query.'],
])('exit code %s for %j with %j, and what is wrong', async (expected, args, env, said) => {
  const { code, stderr } = await runIn('notes', ['search', 'zebra keys', '--mode', 'keyword', ...args], env);
  expect([code, stderr]).toEqual([expected, expect.stringContaining(said)]);
});

test('a hit of a PDF is printed with its page, read by it, and opened at it where BROWSER says', async () => {
  const pdf = readFileSync(new URL('../../adapters/formats/files/manual.pdf', import.meta.url));
  playground.write({ 'papers/manual.pdf': pdf });
  const out = join(playground.folder, 'shown');
  const env = { BROWSER: `'${editor}'`, OUT: out, CODE: '0', EDITOR: 'nothing' };
  const args = ['search', 'twice a minute', '--mode', 'keyword', '--no-wait', '--open'];
  const { code, stdout } = await runIn('papers', args, env);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^manual\.pdf#page=2 {2}/)]);
  const file = pathToFileURL(join(playground.folder, 'papers/manual.pdf'));
  expect(readFileSync(out, 'utf8').trimEnd()).toBe(`${file}#page=2`);
  expect((await runIn('papers', ['read', 'manual.pdf#page=2'])).stdout).toMatch(/^# Fog signals\n/);
  const failed = await runIn('papers', args, { ...env, BROWSER: '/nowhere/browser' });
  expect(failed.stderr).toContain('The program /nowhere/browser that opens a browser cannot be started.');
});
