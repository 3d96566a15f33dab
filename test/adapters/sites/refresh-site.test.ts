/** What a second run does with pages that are unchanged, changed, gone or failing, and after an interruption. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createConverter } from '../../../src/adapters/formats/create-converter.ts';
import { prepareSite } from './prepare-site.ts';
import { page, sitemap } from './site-server.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const PAGES = Object.fromEntries(NAMES.map((name) => [`/docs/${name}.md`, `# ${name}`]));
const SITE = { '/sitemap.xml': sitemap(...Object.keys(PAGES)), ...PAGES };
const FAILS = { status: 500, headers: { 'retry-after': '0' } };
const ofPages = (line: string) =>
  line.startsWith('/docs/') && !line.includes('llms') && !line.includes('xml');

test('unchanged pages are not written, changed ones are, gone and unlisted ones are deleted, failing ones stay', async () => {
  const { site, folder, run, paths, read, asked } = await prepareSite(SITE);
  await run();
  asked();
  const written = statSync(join(folder, 'docs/a.md')).mtimeMs;
  expect(await run()).toMatchObject({ unchanged: 4, added: 0, changed: 0 });
  expect(asked(ofPages)).toEqual(NAMES.map((name) => `/docs/${name}.md 304`));
  expect(statSync(join(folder, 'docs/a.md')).mtimeMs).toBe(written);

  site.files.set('/docs/b.md', '# b, changed');
  site.files.set('/docs/c.md', FAILS);
  site.files.set('/docs/d.md', { status: 410 });
  const report = await run();
  expect(report).toMatchObject({ unchanged: 1, changed: 1, failed: 1, removed: 1, pages: 3, complete: true });
  expect(report.warnings).toEqual([
    { path: `${site.url}/docs/c.md`, message: 'answers with status 500; its former text is kept' },
  ]);
  expect(read('docs/b.md')).toContain('# b, changed');
  expect(paths()).toEqual(['docs/a.md', 'docs/b.md', 'docs/c.md']);

  site.files.set('/sitemap.xml', sitemap('/docs/b.md'));
  expect(await run()).toMatchObject({ unchanged: 1, removed: 2, pages: 1 });
  expect(paths()).toEqual(['docs/b.md']);
});

test('a page without ETag that is sent again is not written again, and a deleted file is fetched again', async () => {
  const { site, folder, run, paths } = await prepareSite(SITE);
  site.files.set('/docs/a.md', { body: '# a', headers: { etag: '' } });
  await run();
  rmSync(join(folder, 'docs/b.md'));
  expect(await run()).toMatchObject({ unchanged: 3, changed: 1 });
  expect(paths()).toHaveLength(4);
});

test('an interrupted run keeps what it has, and the next run asks only for the rest', async () => {
  const { site, run, paths, asked } = await prepareSite(SITE);
  for (const name of NAMES) site.files.set(`/docs/${name}.md`, { body: `# ${name}`, headers: { etag: '' } });
  const stop = new AbortController();
  site.onRequest = (path) => path === '/docs/c.md' && stop.abort();
  await expect(run('/docs/', { signal: stop.signal })).rejects.toThrow();
  expect(paths()).toEqual(['docs/a.md', 'docs/b.md']);
  asked();
  delete site.onRequest;
  expect(await run()).toMatchObject({ unchanged: 2, added: 2, complete: true });
  expect(asked(ofPages)).toEqual(['/docs/c.md 200', '/docs/d.md 200']);
  expect(await run()).toMatchObject({ unchanged: 4 });
  expect(asked(ofPages)).toHaveLength(4);
});

test('a run gives up after five pages in a row without an answer, and keeps the pages of the run before', async () => {
  const many = Array.from({ length: 9 }, (_, place) => `/docs/${place}.md`);
  const { site, run, paths, asked } = await prepareSite({
    '/sitemap.xml': sitemap(...many),
    ...Object.fromEntries(many.map((path) => [path, `# ${path}`])),
  });
  await run();
  for (const path of many.slice(1)) site.files.set(path, FAILS);
  asked();
  expect(await run()).toMatchObject({ unchanged: 1, failed: 5, pages: 9, complete: false });
  expect(new Set(asked(ofPages).map((line) => line.split(' ')[0])).size).toBe(6);
  expect(paths()).toHaveLength(9);
  site.onRequest = (path) => void (path === many[1] && site[Symbol.asyncDispose]());
  expect(await run()).toMatchObject({ unchanged: 1, failed: 5, pages: 9, complete: false });
});

test('without its package, HTML is left out with one line of advice; Markdown is read', async () => {
  const { run, paths } = await prepareSite({
    '/docs/llms.txt': '[a](a.md) [b](b) [c](c)',
    ...{ '/docs/a.md': '# A', '/docs/b': page('B', ''), '/docs/c': page('C', '') },
  });
  const converter = createConverter({ isInstalled: () => false });
  const report = await run('/docs/', { converter });
  expect(report).toMatchObject({ added: 1, failed: 2 });
  expect(report.warnings).toEqual([
    {
      path: '',
      message: expect.stringContaining(
        'Pages that are HTML are left out: 2. To read them, install node-html-markdown',
      ),
    },
  ]);
  expect(paths()).toEqual(['docs/a.md']);
});

test('a file left by a killed run, and a damaged record, do no harm', async () => {
  const { folder, run, paths } = await prepareSite(SITE);
  await run();
  writeFileSync(join(folder, 'docs', 'orphan.md'), '# left');
  writeFileSync(join(folder, '.docfuse-site.json'), '{"url":');
  expect(await run()).toMatchObject({ added: 4, pages: 4 });
  expect(paths()).toHaveLength(4);
});

test('the encoding that the answer names wins over the one in the page', async () => {
  const { run, read } = await prepareSite({
    '/docs/sitemap.xml': sitemap('/docs/a'),
    '/docs/a': {
      body: Buffer.from('<meta charset="utf-8"><title>Gr\xfc\xdfe</title><main>Gr\xfc\xdfe</main>', 'latin1'),
      type: 'text/html; charset=ISO-8859-1',
    },
  });
  await run();
  expect(read('docs/a.md')).toBe('---\ntitle: "Grüße"\nurl: "SITE/docs/a"\n---\nGrüße');
});
