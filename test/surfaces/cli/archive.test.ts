/** A ZIP archive in place of a folder: by the command, a server and an assistant. */
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../src/engine/config/config.ts';
import type { IndexLocation } from '../../../src/engine/config/locate-index.ts';
import { fromHere } from '../../../src/surfaces/cli/paths.ts';
import { makeZip } from '../../support/make-zip.ts';
import { connectStdio } from '../mcp/connect.ts';
import { BIN, createPlayground } from './docfuse.ts';
import { startServe } from './start-serve.ts';

const TOMATO = '# Tomatoes\n\nWater tomatoes every morning. See [[basil]].\n';
const BASIL = '# Basil\n\nBasil wants sun and warm soil.\n';
const DATE = new Date(2024, 4, 31);
const zipOf = (files: Readonly<Record<string, string>>) =>
  makeZip(Object.entries(files).map(([name, data]) => ({ name, data, date: DATE })));
const VAULT = { 'vault/plants/tomato.md': TOMATO, 'vault/basil.md': BASIL, '../evil.md': '# Evil\n' };

function playgroundOf(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const made = createPlayground({ 'docs/notes.zip': zipOf(VAULT), ...files });
  return { made, ...made, run: (...args: string[]) => made.runHere(args) };
}
const playground = playgroundOf();
afterAll(() => playground[Symbol.dispose]());
const { run } = playground;

test('is indexed with a warning for a name that leads outside, searched, and read by the printed place', async () => {
  const indexed = await run('index', 'docs/notes.zip');
  expect(indexed.stdout + indexed.stderr).toContain('2 added');
  expect(indexed.stdout + indexed.stderr).toContain('evil.md: left out, outside its collection');
  const found = await run('search', 'every morning', 'docs/notes.zip', '--mode', 'keyword');
  expect(found.stdout).toContain('docs/notes.zip/vault/plants/tomato.md:3');
  for (const place of [
    'docs/notes.zip/vault/plants/tomato.md',
    './docs/notes.zip/vault/plants/tomato.md:3',
  ]) {
    const read = await run('read', place);
    expect([read.stdout, read.code]).toEqual([expect.stringContaining('Water tomatoes'), 0]);
  }
  expect((await run('read', 'tomato', 'docs/notes.zip')).stdout).toContain('Water tomatoes');
  expect((await run('related', 'docs/notes.zip/vault/basil.md')).stdout).toContain('links here');
  const narrowed = await run('search', 'basil', '--path', 'docs/notes.zip/vault/plants', '--mode', 'keyword');
  expect(narrowed.stdout).toContain('tomato.md');
  expect(narrowed.stdout).not.toContain('basil.md');
  expect(readdirSync(join(playground.folder, 'docs'))).toEqual(['notes.zip']);
  expect(existsSync(join(playground.folder, 'evil.md'))).toBe(false);
});

test('is named to a server in another folder by its whole path', () => {
  const root = join(playground.folder, 'docs/notes.zip');
  const location = () =>
    ({ config: { collections: [{ root, kind: 'folder' }] } }) as unknown as IndexLocation;
  const sent = (document: string) =>
    fromHere({ document }, location, join(playground.folder, 'docs')).document;
  expect(sent('./notes.zip/vault/basil.md:3')).toBe(`${root}/vault/basil.md:3`);
  expect(sent('basil')).toBe('basil');
});

test('has no file for an editor to open', async () => {
  const opened = await run('search', 'basil wants sun', 'docs/notes.zip', '--mode', 'keyword', '--open', '1');
  expect(opened.stderr).toContain('notes.zip/vault/basil.md is a commit or lies in an archive');
  const { hits } = JSON.parse((await run('search', 'basil wants sun', 'docs/notes.zip', '--json')).stdout);
  expect(hits[0]).toMatchObject({ document_id: 'notes.zip/vault/basil.md' });
  expect(hits[0]).not.toHaveProperty('file');
});

test('after a change, only entries with another checksum are read', async () => {
  using other = playgroundOf();
  await other.run('index', 'docs/notes.zip');
  other.write({
    'docs/notes.zip': zipOf({ ...VAULT, 'vault/basil.md': `${BASIL}\nAnd rain.\n`, 'new.md': '# New\n' }),
  });
  const report = JSON.parse((await other.run('index', 'docs/notes.zip', '--json')).stdout);
  expect(report).toMatchObject({ added: 1, changed: 1, unchanged: 1, removed: 0 });
  expect((await other.run('search', 'rain', 'docs/notes.zip', '--mode', 'keyword')).stdout).toContain(
    'basil.md:5',
  );
  other.write({ 'docs/notes.zip': zipOf({ 'new.md': '# New\n' }) });
  expect(JSON.parse((await other.run('index', 'docs/notes.zip', '--json')).stdout)).toMatchObject({
    removed: 2,
  });
});

test('that became no archive is an error, and what is indexed stays', async () => {
  using other = playgroundOf();
  await other.run('index', 'docs/notes.zip');
  const whole = readFileSync(join(other.folder, 'docs/notes.zip'));
  other.write({ 'docs/notes.zip': whole.subarray(0, 200) });
  const failed = await other.run('index', 'docs/notes.zip');
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: .*notes\.zip cannot be read as a ZIP archive \(.*\)\.\n.*unpack it/),
  ]);
  other.write({ 'docs/notes.zip': whole });
  expect(JSON.parse((await other.run('index', 'docs/notes.zip', '--json')).stdout)).toMatchObject({
    added: 0,
    removed: 0,
    unchanged: 2,
  });
});

test.each(['graph.zip', 'graph'])(
  'of Logseq has aliases, page names with / and no backups, as a folder does: %s',
  async (root) => {
    const graph = {
      'pages/plants___tomato.md': 'alias:: Love apple\ntags:: red\n\n- Water them at dawn.\n',
      'journals/2024_05_31.md': '- Planted a [[Love apple]] beside [[plants/tomato]].\n',
      'logseq/bak/pages/plants___tomato.md': '- Water them at noon.\n',
    };
    const folder = Object.entries(graph).map(([path, text]) => [`graph/${path}`, text]);
    using other = playgroundOf({ 'graph.zip': zipOf(graph), ...Object.fromEntries(folder) });
    await other.run('index', root);
    const found = await other.run(
      'search',
      'water them',
      root,
      '--mode',
      'keyword',
      '--tag',
      'red',
      '--json',
    );
    expect(JSON.parse(found.stdout).hits).toMatchObject([
      { path: 'pages/plants___tomato.md', title: 'plants/tomato', line: 4 },
    ]);
    const related = await other.run('related', 'journals/2024_05_31.md', root, '--json');
    const [page, ...others] = JSON.parse(related.stdout).linked;
    expect([page.path, page.links.length, others]).toEqual(['pages/plants___tomato.md', 2, []]);
  },
);

test('inside an indexed folder has an index of its own', async () => {
  using other = playgroundOf({ 'docs/a.md': '# A\n\nTomatoes again.\n' });
  await other.run('index', 'docs');
  const found = await other.run('search', 'tomatoes', 'docs/notes.zip', '--mode', 'keyword');
  expect(found.stdout).toContain('docs/notes.zip/vault/plants/tomato.md');
  expect(found.stdout).not.toContain('a.md');
  const both = await other.run('search', 'tomatoes', 'docs', 'docs/notes.zip', '--mode', 'keyword');
  expect(both.stdout).toContain('docs/notes.zip/vault/plants/tomato.md');
  expect(both.stdout).toContain('docs/a.md');
});

test('alone in a folder is named by the notice, and read by its place, whatever was indexed before', async () => {
  using alone = createPlayground({ 'notes.zip': zipOf(VAULT) });
  const here = (...args: string[]) => alone.runHere(args);
  const place = 'notes.zip/vault/basil.md';
  expect((await here('read', join(alone.folder, 'nix.zip/x.md'))).stderr).toContain(
    `There is no file or folder ${join(alone.folder, 'nix.zip')}.`,
  );
  expect((await here('search', 'zebra', '--mode', 'keyword')).stderr).toContain(
    'The index holds no documents. An archive is searched if you name it: docfuse search QUERY notes.zip.',
  );
  expect((await here('read', place)).stderr).toMatch(
    /No index holds .*notes\.zip\.\nIndex it: docfuse index notes\.zip\.$/m,
  );
  await here('index', 'notes.zip', '--no-embed');
  expect((await here('read', place)).stdout).toBe(BASIL);
  expect((await here('related', place)).stdout).toContain('links here');
});

test('is a collection of docfuse.toml, with its globs; an untrusted file names only those in its folder', async () => {
  using other = playgroundOf({
    'docs/docfuse.toml': ['notes.zip', '../far.zip', 'link.zip']
      .map((path) => `[[collections]]\npath = "${path}"\nexclude = ["plants"]\n`)
      .join(''),
    'far.zip': zipOf({ 'far.md': '# Far\n' }),
  });
  symlinkSync('../far.zip', join(other.folder, 'docs/link.zip'));
  const config = join(other.folder, 'docs/docfuse.toml');
  await other.run('index', '--config', config);
  const all = await other.run('list', '--config', config);
  expect(all.stdout.match(/[a-z]+\.md/g)?.toSorted()).toEqual(['basil.md', 'far.md', 'far.md']);
  const { leftOut, collections } = loadConfig({ cwd: join(other.folder, 'docs') });
  expect(collections.map(({ root }) => root)).toEqual([join(other.folder, 'docs/notes.zip')]);
  expect(leftOut?.keys).toEqual(['collections.1.path', 'collections.2.path']);
});

test('is served over HTTP and to assistants, and a change of the file is heard', async () => {
  using other = playgroundOf();
  const { url } = await startServe(other.made, ['docs/notes.zip']);
  const get = async (path: string) => (await fetch(url + path)).json() as Promise<Record<string, unknown>>;
  await vi.waitFor(
    async () =>
      expect(await get('/api/search?q=morning&mode=keyword')).toMatchObject({
        hits: [{ path: 'vault/plants/tomato.md' }],
      }),
    20_000,
  );
  expect(await get('/api/documents/notes.zip/vault/basil.md')).toMatchObject({ text: BASIL.trimEnd() });
  other.write({ 'docs/next.zip': zipOf({ 'fern.md': '# Fern\n\nFerns like shade.\n' }) });
  renameSync(join(other.folder, 'docs/next.zip'), join(other.folder, 'docs/notes.zip'));
  await vi.waitFor(
    async () =>
      expect(await get('/api/search?q=shade&mode=keyword')).toMatchObject({ hits: [{ path: 'fern.md' }] }),
    20_000,
  );
  await using assistant = await connectStdio({
    cwd: other.folder,
    env: other.env,
    args: [BIN, 'mcp', 'docs/notes.zip'],
  });
  const answer = await assistant.client.callTool({
    name: 'read_document',
    arguments: { document: 'notes.zip/fern.md' },
  });
  expect(JSON.stringify(answer)).toContain('Ferns like shade.');
});
