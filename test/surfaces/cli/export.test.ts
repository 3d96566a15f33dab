/** `docfuse export`: which folders it writes, which it refuses, and what it puts there. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireWriteLock } from '../../../src/adapters/store/lock.ts';
import { open } from '../../../src/engine/open.ts';
import { SMALL_SETTINGS } from '../../support/small-model.ts';
import { createPlayground, type Playground } from './docfuse.ts';

let playground: Playground;
beforeEach(() => {
  playground = createPlayground({
    'notes/a.md': '---\nsecret: never exported\n---\n# Apples\n\nPeel them. [[b]]\n',
    'notes/b.md': '# Bread\n\nKnead the dough.\n',
    'other.md': '# Other\n',
  });
});
afterEach(() => playground[Symbol.dispose]());

const out = (...path: string[]) => join(playground.folder, ...path);
const exportTo = (folder: string) => playground.runHere(['export', folder, 'notes', '--json']);

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
}

function contentOf(file: string): string {
  const bytes = readFileSync(file);
  return /data-[0-9a-f]+/.test(file) ? inflateRawSync(bytes).toString() : bytes.toString();
}

test('writes a new folder and says how much; nothing in it tells of this machine', async () => {
  const { code, stdout } = await exportTo('out/site');
  expect(code).toBe(0);
  const files = filesIn(out('out/site'));
  const bytes = files.reduce((sum, file) => sum + statSync(out('out/site', file)).size, 0);
  expect(JSON.parse(stdout)).toMatchObject({ documents: 2, passages: 2, files: files.length, bytes });
  expect(files).toEqual(
    expect.arrayContaining(['index.html', 'start.json', 'docfuse-search.js', 'LICENSES.md']),
  );
  for (const file of files) {
    const content = contentOf(out('out/site', file));
    expect(content).not.toContain(playground.folder);
    expect(content).not.toContain('never exported');
  }
  expect(readdirSync(out('out'))).toEqual(['site']);
});

test('replaces an earlier export; names of data change with their content alone', async () => {
  await exportTo('site');
  const before = filesIn(out('site'));
  await exportTo('site');
  expect(filesIn(out('site'))).toEqual(before);
  writeFileSync(out('notes/c.md'), '# Cheese\n');
  expect((await exportTo('site')).code).toBe(0);
  const dataOf = (files: readonly string[]) =>
    files.filter((file) => file.startsWith('data-'))[0]!.split('/')[0];
  expect(dataOf(filesIn(out('site')))).not.toBe(dataOf(before));
  expect(readdirSync(out('site')).filter((name) => name.startsWith('data-'))).toHaveLength(1);
});

test('leaves folders alone that hold other files, and folders of the documents', async () => {
  mkdirSync(out('mine'));
  writeFileSync(out('mine/letter.txt'), 'Dear');
  const mine = await exportTo('mine');
  expect(mine).toMatchObject({ code: 2, stdout: '' });
  expect(mine.stderr).toContain('holds letter.txt, which does not belong to an export');
  expect(filesIn(out('mine'))).toEqual(['letter.txt']);

  for (const folder of ['notes', 'notes/site', '.', 'notes/../notes/site']) {
    const { code, stderr } = await exportTo(folder);
    expect({ folder, code }).toEqual({ folder, code: 2 });
    expect(stderr).toMatch(/would be inside|would contain/);
  }
  expect(filesIn(out('notes'))).toEqual(['a.md', 'b.md']);

  await exportTo('site');
  writeFileSync(out('site/CNAME'), 'docs.example');
  expect((await exportTo('site')).stderr).toContain('holds CNAME');
  expect(readFileSync(out('site/CNAME'), 'utf8')).toBe('docs.example');

  writeFileSync(out('file'), '');
  expect((await exportTo('file')).stderr).toContain('is a file');
});

test('waits while a server reads files, but not while it makes vectors', async () => {
  await exportTo('site');
  const { stdout } = await playground.runHere(['status', 'notes', '--json']);
  const { index_path: folder } = JSON.parse(stdout) as { readonly index_path: string };
  const lock = await acquireWriteLock(join(folder, 'index.sqlite'));
  expect(await exportTo('site')).toMatchObject({ code: 0 });
  writeFileSync(out('notes/c.md'), '# Cheese\n');
  const {
    code,
    stdout: answer,
    stderr,
  } = await playground.run(['export', 'site', 'notes', '--json'], {
    onStart: (child) => void child.stderr?.once('data', () => lock.release()),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Waiting until') });
  expect(JSON.parse(answer)).toMatchObject({ documents: 3 });
});

test('exports its folder alone, even if the index of a folder above holds it', async () => {
  expect((await playground.runHere(['index', '.', '--no-embed'])).code).toBe(0);
  const { stdout } = await playground.runHere(['export', 'site', 'notes', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ documents: 2 });
});

test('exports an index without documents', async () => {
  mkdirSync(out('empty'));
  const { code, stdout } = await playground.runHere(['export', 'site', 'empty', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ documents: 0, passages: 0 });
});

test('does not replace an export by one without documents', async () => {
  mkdirSync(out('bare'));
  await playground.runHere(['export', 'site', 'notes']);
  const { code, stderr } = await playground.runHere(['export', 'site', 'bare']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('would become empty') });
});

test('refuses a language whose words the page could not find', async () => {
  writeFileSync(out('docfuse.toml'), '[[collections]]\nname = "notes"\npath = "notes"\nlanguage = "de"\n');
  const { code, stderr } = await playground.runHere(['export', 'site', '--json']);
  expect(code).toBe(2);
  expect(stderr).toContain('has the language de');
  expect(readdirSync(out())).not.toContain('site');
});

test('with vectors: says what a browser loads, and gives the model its own folder, which stays', async () => {
  const run = () => playground.runHere(['export', 'site', 'notes', '--vectors', '--json']);
  const { code, stdout } = await run();
  expect(code).toBe(0);
  const ofMeaning = (files: readonly string[]) =>
    files.filter((file) => /^model-\w+\/[a-z]+(-\d+|\.js)$|\/vectors\/|\/neighbours$/.test(file));
  const before = ofMeaning(filesIn(out('site')));
  const size = before.reduce((sum, file) => sum + statSync(out('site', file)).size, 0);
  expect(JSON.parse(stdout)).toMatchObject({ meaning_bytes: size });
  for (const file of filesIn(out('site')))
    expect(statSync(out('site', file)).size).toBeLessThanOrEqual(4_000_000);
  writeFileSync(out('notes/c.md'), '# Cheese\n');
  expect((await run()).code).toBe(0);
  const isModel = (file: string) => file.startsWith('model-');
  expect(filesIn(out('site')).filter(isModel)).toEqual(expect.arrayContaining(before.filter(isModel)));
  const shown = await playground.runHere(['export', 'site', 'notes', '--vectors']);
  expect(shown.stdout + shown.stderr).toMatch(/For search by meaning, a browser loads [\d.]+ MB once/);
  await exportTo('site');
  expect(filesIn(out('site')).filter(isModel)).toEqual([]);
});

test('with vectors of a length that is set: the page cuts the vector of a question, too', async () => {
  const cut = ['--set', 'embedding.dimensions=24'];
  expect((await playground.runHere(['export', 'site', 'notes', '--vectors', ...cut])).code).toBe(0);
  const { meaning } = JSON.parse(readFileSync(out('site', 'start.json'), 'utf8'));
  expect(meaning).toMatchObject({ dimensions: 24, profile: { dimensions: 24 } });
});

test('with vectors: refuses passages without one, and vectors of a service or of two models', async () => {
  await using index = await open({
    roots: [out('notes')],
    indexPath: out('index'),
    settings: SMALL_SETTINGS,
  });
  await index.sync({ embed: false });
  await expect(index.export(out('site'), { vectors: true })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^2 of 2 passages have no vector/),
    remedy: expect.stringContaining('docfuse index'),
  });
  const remote = {
    embedding: { provider: 'openai', base_url: 'http://127.0.0.1:9/v1', model: 'm' },
  } as const;
  await using other = await open({ roots: [out('notes')], indexPath: out('other'), settings: remote });
  await other.sync({ embed: false });
  await expect(other.export(out('third'), { vectors: true })).rejects.toThrow('A service makes the vectors');
  const second = { embedding: { ...SMALL_SETTINGS.embedding, multilingual_model: 'second' } };
  await using two = await open({ roots: [out('notes')], indexPath: out('index'), settings: second });
  await expect(two.export(out('third'), { vectors: true })).rejects.toThrow('Two models make the vectors');
  expect(readdirSync(out())).not.toContain('third');
});
