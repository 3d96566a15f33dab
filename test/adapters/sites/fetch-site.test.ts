/** Which pages of a site are fetched, and what their files hold. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { prepareSite } from './prepare-site.ts';
import { page, sitemap } from './site-server.ts';

test('a sitemap: pages below the address become Markdown with title, address and links to each other', async () => {
  const { run, paths, read } = await prepareSite({
    '/sitemap.xml': sitemap('/docs/', '/docs/a', '/docs/b.html?x=1&amp;y=2', '/blog/', '/docs/pic.png'),
    '/docs/': page(
      'Home',
      '<p>See <a href="a#x">a</a>, <a href="/docs/b.html?x=1&y=2">b</a>, <a href="../blog/">blog</a>.</p>',
    ),
    '/docs/a': page(
      'A',
      '<p>Back <a href="./index.html">home</a>.</p><pre>[x](a)</pre><img src="i.png" alt="I">',
    ),
    '/docs/b.html?x=1&y=2': page('B', '<p>To <a href="../docs/a/">a (the page)</a>.</p>'),
  });
  expect(await run()).toEqual({
    ...{ added: 3, changed: 0, unchanged: 0, removed: 0, failed: 0 },
    ...{ pages: 3, complete: true, warnings: [] },
  });
  const [a, b, index] = paths();
  expect([a, index]).toEqual(['docs/a.md', 'docs/index.md']);
  expect(b).toMatch(/^docs\/b-[\da-f]{6}\.md$/);
  expect(read('docs/index.md')).toBe(
    `---\ntitle: "Home"\nurl: "SITE/docs/"\n---\n# Home\n\nSee [a](a.md#x), [b](${b!.slice(5)}), [blog](SITE/blog/).`,
  );
  expect(read('docs/a.md')).toContain('Back [home](index.md).');
  expect(read('docs/a.md')).toContain('```\n[x](a)\n```');
  expect(read('docs/a.md')).toContain('![I](SITE/docs/i.png)');
  expect(read(b!)).toContain('[a (the page)](a.md)');
});

test('llms.txt in the folder comes first, and may name every page of the site; its Markdown stays as it is', async () => {
  const { run, paths, read, asked } = await prepareSite({
    '/docs/llms.txt':
      '# Docs\n\n- [A](/docs/a.md): first\n- [G](SITE/guide/g.md)\n- [Other](https://other.example/x.md)\n- [All](/docs/llms-full.txt)\n\n```\n[no](/docs/no.md)\n```\n',
    '/docs/a.md': '---\ntitle: Alpha\ntags: [one]\n---\r\n# A\r\n\r\n[G](../guide/g.md) (and [H](/h))\r\n',
    '/guide/g.md': { body: Buffer.from('Gr\xfcn', 'latin1'), type: 'text/plain; charset=iso-8859-1' },
    '/sitemap.xml': sitemap('/docs/z'),
  });
  expect(await run()).toMatchObject({ added: 2, failed: 0 });
  expect(paths()).toEqual(['docs/a.md', 'guide/g.md']);
  expect(read('docs/a.md')).toBe(
    '---\ntitle: "Alpha"\ntags: ["one"]\nurl: "SITE/docs/a.md"\n---\n# A\n\n[G](../guide/g.md) (and [H](SITE/h))\n',
  );
  expect(read('guide/g.md')).toBe('---\nurl: "SITE/guide/g.md"\n---\nGrün');
  expect(asked()).not.toContain('/sitemap.xml 200');
});

test('an index of sitemaps is followed, packed and as robots.txt names it; the pages of others and pictures are left out', async () => {
  const { run, paths, asked } = await prepareSite({
    '/robots.txt': 'Sitemap: SITE/maps.xml\nSitemap: https://other.example/maps.xml\n',
    '/maps.xml':
      '<sitemapindex><sitemap><loc>SITE/one.xml</loc></sitemap><sitemap><loc>SITE/two.xml.gz</loc></sitemap><sitemap><loc>SITE/maps.xml</loc></sitemap></sitemapindex>',
    '/one.xml':
      '<urlset><url><loc>\n<![CDATA[SITE/docs/a.md]]>\n</loc><image:loc>SITE/docs/i.md</image:loc></url><url><loc>https://other.example/docs/b.md</loc></url></urlset>',
    '/two.xml.gz': {
      body: gzipSync('<urlset><url><loc>/docs/c.md</loc></url></urlset>'),
      type: 'application/gzip',
    },
    '/docs/a.md': '# A',
    '/docs/c.md': '# C',
  });
  expect(await run('/docs')).toMatchObject({ added: 2, failed: 0 });
  expect(paths()).toEqual(['docs/a.md', 'docs/c.md']);
  expect(asked((line) => line.startsWith('/maps'))).toHaveLength(1);
});

test('what robots.txt disallows is never asked for, and its Crawl-delay is kept', async () => {
  const { site, run, paths } = await prepareSite({
    '/robots.txt':
      'User-agent: *\nDisallow: /\n\nUser-agent: docfuse\nDisallow: /docs/secret\nCrawl-delay: 0.15\n',
    '/docs/llms.txt': '[a](a.md) [s](secret.md) [r](redirect.md)',
    '/docs/a.md': '# A',
    '/docs/secret.md': '# Secret',
    '/docs/redirect.md': { status: 302, headers: { location: '/docs/secret.md' } },
  });
  const report = await run();
  expect(report).toMatchObject({ added: 1, failed: 1 });
  expect(report.warnings).toEqual([
    { path: '', message: 'Pages that robots.txt disallows: 1.' },
    { path: `${site.url}/docs/redirect.md`, message: 'is disallowed by robots.txt' },
  ]);
  expect(paths()).toEqual(['docs/a.md']);
  expect(site.requests.map(({ path }) => path)).toEqual([
    '/robots.txt',
    '/docs/llms.txt',
    '/docs/a.md',
    '/docs/redirect.md',
  ]);
  // Two pauses of 150 ms. A busy machine may notice the first request late.
  expect(site.requests[3]!.at - site.requests[1]!.at).toBeGreaterThan(200);
  expect(site.requests.every(({ headers }) => headers['user-agent'] === 'docfuse/1.0')).toBe(true);
});

test.each([
  ['fails', { status: 503, headers: { 'retry-after': '0' } }, 'status 503'],
  ['asks for pauses of a day', 'User-agent: *\nCrawl-delay: 86400', '86400 seconds'],
])('nothing is fetched if robots.txt %s', async (_, robots, message) => {
  const { run, asked } = await prepareSite({ '/robots.txt': robots, '/docs/llms.txt': '[a](a.md)' });
  await expect(run()).rejects.toMatchObject({ code: 'remote', message: expect.stringContaining(message) });
  expect(new Set(asked().map((line) => line.split(' ')[0]))).toEqual(new Set(['/robots.txt']));
});

test('a site without a list says what was tried, and where a redirect leads', async () => {
  const { run } = await prepareSite({
    '/docs/llms.txt': page('Not a list', ''),
    '/sitemap.xml': { status: 301, headers: { location: 'https://www.other.example/sitemap.xml' } },
  });
  await expect(run()).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(
      /\/docs\/llms.txt is a web page, not a list; .*\/sitemap.xml leads to another site, https:\/\/www.other.example\.$/,
    ),
  });
});

test('pages that cannot be used are left out with a reason, and the others are read', async () => {
  const huge = Buffer.alloc(10 * 2 ** 20 + 1, 'x');
  const { site, run, paths } = await prepareSite({
    '/docs/llms.txt': ['a.md', 'gone', 'huge.md', 'pdf', 'zero.md', 'away', 'empty.md', 'loop', 'b.md']
      .map((name) => `- [${name}](${name})`)
      .join('\n'),
    '/docs/a.md': '# A',
    '/docs/huge.md': { body: huge },
    '/docs/pdf': { body: '%PDF', type: 'application/pdf' },
    '/docs/zero.md': 'a\0b',
    '/docs/away': { status: 302, headers: { location: 'https://other.example/' } },
    '/docs/empty.md': ' \n',
    '/docs/loop': { status: 302, headers: { location: '/docs/loop' } },
    '/docs/b.md': '# B', // read after six answers in a row that cannot be used
  });
  const report = await run();
  expect(report).toMatchObject({ added: 2, failed: 7, complete: true });
  expect(report.warnings.map(({ path, message }) => `${path.slice(site.url.length + 6)} ${message}`)).toEqual(
    [
      'gone answers with status 404',
      'huge.md is larger than 10 MiB',
      'pdf is application/pdf, not a page of text',
      'zero.md is binary, not a page of text',
      'away leads to another site, https://other.example',
      'empty.md is empty',
      'loop redirects more than 5 times',
    ],
  );
  expect(paths()).toEqual(['docs/a.md', 'docs/b.md']);
});

test('hostile and long addresses stay in the folder, apart from each other', async () => {
  const names = [
    ...[
      '/docs/%2e%2e%2f%2e%2e%2fup',
      '/docs/..%5c..%5cup',
      '/docs/A',
      '/docs/a',
      '/docs/x.md',
      '/docs/x.md/y',
      '/docs/x.html',
    ],
    ...[
      '/docs/.hidden/p',
      '/docs/node_modules/p',
      '/docs/con',
      `/docs/${'l%C3%A4'.repeat(200)}`,
      `/docs/${'d/'.repeat(300)}p`,
    ],
    ...['/docs//p', '/docs/%00%0a%ff', '/docs/trail. /p'],
  ];
  const { run, paths, read } = await prepareSite({
    '/sitemap.xml': sitemap(...names),
    ...Object.fromEntries(
      names.map((name) => [new URL(name, 'http://h').pathname, { body: `# ${name}`, type: 'text/plain' }]),
    ),
  });
  expect(await run()).toMatchObject({ added: names.length, failed: 0, pages: names.length });
  const found = paths();
  expect(found).toHaveLength(names.length);
  expect(new Set(found.map((path) => path.toLowerCase())).size).toBe(names.length);
  for (const path of found) {
    expect(path.length).toBeLessThan(200);
    expect(path).not.toMatch(/(?:^|\/)(?:\.|node_modules\/|con\.)|\\|[. ]\//);
  }
  const second = await run();
  expect(second).toMatchObject({ unchanged: names.length, pages: names.length });
  expect(paths()).toEqual(found);
  expect(read('docs/x.md_/y.md')).toContain('# /docs/x.md/y');
});

test('--max-pages cuts the list, says so, and is kept for the next run', async () => {
  const { run, site } = await prepareSite({
    '/sitemap.xml': sitemap('/docs/a.md', '/docs/b.md', '/docs/c.md'),
    ...{ '/docs/a.md': '# A', '/docs/b.md': '# B', '/docs/c.md': '# C' },
  });
  const cut = {
    path: '',
    message: 'The site lists 3 pages, and the first 2 are read. --max-pages reads more.',
  };
  expect(await run('/docs/', { maxPages: 2 })).toMatchObject({ pages: 2, warnings: [cut] });
  expect(await run()).toMatchObject({ pages: 2, warnings: [cut] });
  expect(await run('/docs/', { maxPages: 3 })).toMatchObject({ pages: 3, added: 1, warnings: [] });
  expect(site.log.filter((line) => line.startsWith('/docs/a'))).toEqual([
    '/docs/a.md 200',
    '/docs/a.md 304',
    '/docs/a.md 304',
  ]);
});
