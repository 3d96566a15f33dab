/** `docfuse add` and the commands that search an added site, against a site on this machine. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/engine/config/config.ts';
import { page, type SiteServer, sitemap, startSite } from '../../adapters/sites/site-server.ts';
import { connectStdio, textOf } from '../mcp/connect.ts';
import { BIN, createPlayground } from './docfuse.ts';

const playground = createPlayground({ 'notes/a.md': '# Notes\n' });
let site: SiteServer;
beforeAll(async () => {
  site = await startSite({
    '/sitemap.xml': sitemap('/docs/wicks', '/docs/oil'),
    '/docs/wicks': page('Wicks', '<p>Trim the wick every evening.</p>'),
    '/docs/oil': page('Oil', '<p>Clean oil burns bright.</p>'),
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  playground[Symbol.dispose]();
});

const run = (...args: string[]) => playground.runHere(args);
const address = () => `${site.url}/docs/`;
const search = (...args: string[]) => run('search', 'trim the wick', '--mode', 'keyword', ...args);

test('a site is added, searched by its address without being asked, brought up to date, listed and removed', async () => {
  const before = await search(address());
  expect([before.code, before.stderr]).toEqual([
    1,
    expect.stringContaining(`Fetch them: docfuse add ${address()}`),
  ]);
  const added = await run('add', address());
  expect(added.stdout).toContain(`${address()}: 2 pages, 2 added, in `);
  expect(added.stderr).toContain(`docfuse search "QUERY" ${address()}`);
  site.log.length = 0;

  expect((await search(address().slice(0, -1).replace('http', 'HTTP'))).stdout).toContain('docs/wicks.md');
  const found = await search(address(), '--json');
  const [hit] = JSON.parse(found.stdout).hits;
  expect(hit).toMatchObject({ path: 'docs/wicks.md', title: 'Wicks' });
  const read = JSON.parse((await run('read', 'docs/wicks.md', address(), '--json')).stdout);
  expect(read).toMatchObject({ text: expect.stringContaining('# Wicks') });
  expect(JSON.stringify(read)).toContain(`${site.url}/docs/wicks`);
  expect((await search('--everywhere')).stdout).toContain('docs/wicks.md');
  playground.write({ 'docfuse.toml': `[[collections]]\npath = "${address()}"\n` });
  expect((await search('--config', 'docfuse.toml')).stdout).toContain('docs/wicks.md');
  {
    const target = { args: [BIN, 'mcp', address()], cwd: playground.folder, env: playground.env };
    await using connected = await connectStdio(target);
    const call = async (name: string, args: Record<string, unknown>) =>
      textOf(await connected.client.callTool({ name, arguments: args }));
    expect(await call('query_documents', { query: 'trim the wick' })).toContain('docs/wicks.md');
    expect(await call('read_document', { path: 'docs/wicks.md' })).toContain('every evening');
  }
  expect(site.log).toEqual([]);

  site.files.set('/docs/oil', page('Oil', '<p>Whale oil is not used any more.</p>'));
  expect((await run('add')).stdout).toContain('2 pages, 1 changed, 1 unchanged, in ');
  expect((await run('search', 'whale', address(), '--mode', 'keyword')).stdout).toContain('docs/oil.md');

  const { sites } = JSON.parse((await run('sites', '--json')).stdout);
  expect(sites).toEqual([expect.objectContaining({ url: address(), pages: 2 })]);
  expect((await run('sites', 'rm', address())).code).toBe(0);
  expect(existsSync(sites[0].folder)).toBe(false);
  expect((await run('sites', '--json')).stdout).toContain('"sites": []');
});

test.each([
  [['add'], 'No site was added yet.', 'Name one: docfuse add'],
  [['add', 'notes'], 'notes is not the address of a web site.', 'https://host/docs/'],
  [['add', 'https://me:secret@host.example/docs/'], 'has a user name, a password', 'Leave it out'],
  [['add', 'http://host.example/docs/'], 'is not encrypted', 'https://'],
  [['sites', 'rm', 'https://host.example/'], 'are not on this machine', 'docfuse add'],
  [['search', 'x', 'https://host.example/'], 'are not on this machine', 'docfuse add'],
])('%j fails with a remedy', async (args, message, remedy) => {
  const { code, stderr } = await run(...args);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(message);
  expect(stderr).toContain(remedy);
  expect(stderr).not.toContain('secret');
});

test('a site is asked for nothing while docfuse is offline, unless it is on this machine', async () => {
  const { code, stderr } = await playground.runHere(['add', 'https://host.example/docs/'], {
    env: { DOCFUSE_OFFLINE: '1' },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('DOCFUSE_OFFLINE')]);
});

test('an untrusted docfuse.toml names no site', () => {
  playground.write({
    'found/docfuse.toml': '[[collections]]\npath = "https://host.example/"\n[[collections]]\npath = "."\n',
  });
  const found = loadConfig({ cwd: `${playground.folder}/found` });
  expect(found.leftOut?.keys).toEqual(['collections.0.path']);
});
