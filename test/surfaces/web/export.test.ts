/** The page of an export and its element in a real browser, from a server that only knows files. */
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { closeTabs, openBrowser } from '../../support/chromium.ts';
import { createPlayground, type Playground } from '../cli/docfuse.ts';
import { axeFinds } from './axe-finds.ts';
import { NOTES } from './notes.ts';
import { type FileServer, serveFiles } from './serve-files.ts';
import { inBrowser, note, settled, titles } from './serve-page.ts';

/** A site with a search of its own, under a strict policy. */
const SITE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'">
<script type="module" src="search/docfuse-search.js"></script></head>
<body><main><h1>Site</h1><docfuse-search src="search/" href="pages/{path}/#{anchor}" label="Search the docs"></docfuse-search></main></body></html>`;

let playground: Playground;
let files: FileServer;
const problems: string[] = [];
beforeAll(async () => {
  playground = createPlayground(NOTES);
  const { code, stderr } = await playground.run(['export', 'site/search', 'notes']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  writeFileSync(join(playground.folder, 'site/index.html'), SITE);
  files = await serveFiles(join(playground.folder, 'site'));
}, 60_000);
afterAll(async () => {
  await closeTabs();
  await files?.[Symbol.asyncDispose]();
  playground?.[Symbol.dispose]();
});

/** Opens a tab. What goes wrong in it is added to `problems`. */
async function tab(path = '', { url } = files): Promise<Page> {
  const page = await (await openBrowser()).newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(10_000);
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // Without a graphics card, the driver complains about its own speed.
    const isOurs = ['error', 'warning'].includes(message.type()) && !message.text().includes('GL Driver');
    if (isOurs) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url());
  });
  await page.goto(`${url}${path}`);
  return page;
}

inBrowser(
  `the page of an export searches and reads in any folder, without a server that computes${note}`,
  async () => {
    // Views that only a server has are not looked for.
    const page = await tab('search/?view=status');
    await page.getByText('6 documents').waitFor();
    expect(await page.getByRole('navigation', { name: 'Views' }).locator('a').allTextContents()).toEqual([
      'Search',
      'Map',
    ]);
    expect(await page.getByLabel('Search by').count()).toBe(0);
    expect(await page.getByLabel('Open files in').count()).toBe(0);
    await page.keyboard.type('rotate a token', { delay: 5 });
    // A beginning of the query may have been answered, too.
    await expect.poll(async () => (await titles(page))[0]).toBe('Tokens');
    expect(await page.locator('.hit mark').first().textContent()).toMatch(/rotat/i);
    expect(await page.locator('.hit .confidence b').first().textContent()).toMatch(/^(high|fair|low)$/);
    expect(await page.getByText('Open in editor').count()).toBe(0);
    await page.getByText('Why this hit').first().click();
    await expect.poll(() => page.locator('.why .part').count()).toBeGreaterThan(4);
    await page.keyboard.press('/');
    await page.keyboard.press('Enter');
    await page.locator('.pane .marked').first().waitFor();
    expect(page.url()).toMatch(
      /\/some\/where\/search\/\?q=rotate\+a\+token&doc=notes%2Fguide%2Ftokens\.md&lines=\d+-\d+$/,
    );
    await page.locator('.text').getByText('Backups').click();
    await page.locator('.pane > h2', { hasText: 'Backups' }).waitFor();
    await page
      .locator('.related')
      .getByRole('region', { name: 'Linked from' })
      .getByText('Tokens')
      .first()
      .click();
    await page.locator('.text').getByText('backup', { exact: true }).click();
    await page.locator('.pane > h2', { hasText: 'Backups' }).waitFor();
    await page.reload();
    await page.locator('.pane > h2', { hasText: 'Backups' }).waitFor();
    await page.context().close();
  },
);

inBrowser(`a document that was opened from a hit lists its links${note}`, async () => {
  const page = await tab('search/?q=snapshot');
  await settled(page);
  await page.locator('.hit h3 a').first().click();
  await page.locator('.pane .marked').first().waitFor();
  expect(page.url()).toMatch(/backup\.md&lines=\d+-\d+$/);
  const links = page.getByRole('region', { name: 'Linked from' });
  await links.getByText('Tokens').waitFor();
  await links.getByText('Preview').click();
  await links.getByText('To rotate a token').waitFor();
  await page.context().close();
});

inBrowser(`what is typed finds words that begin so, and filters narrow${note}`, async () => {
  const page = await tab('search/?q=snapsh');
  await settled(page);
  expect(await titles(page)).toContain('Backups');
  await page.goto(`${files.url}search/?q=token&tag=auth`);
  await settled(page);
  expect(new Set(await titles(page))).toEqual(new Set(['Tokens']));
  await page.goto(`${files.url}search/?q=token&tag=none`);
  await page.locator('.notice', { hasText: 'No document passes the filter' }).waitFor();
  await page.goto(`${files.url}search/?q=${encodeURIComponent('"a token"')}`);
  await page.locator('.notice', { hasText: 'searches words in quotes one by one' }).waitFor();
  await page.getByLabel('Add a filter').fill('after:2');
  await page.locator(`option[value="after:${new Date().getUTCFullYear()}"]`).waitFor({ state: 'attached' });
  await page.goto(`${files.url}search/?tag=ops&sort=title`);
  await page.getByText('1 document', { exact: true }).waitFor();
  await page.goto(`${files.url}search/?q=الرمز`);
  await settled(page);
  expect(await titles(page)).toEqual(['الرموز']);
  expect(await page.title()).toBe('الرمز · Search');
  // Keys that need a server are not listed.
  await page.getByRole('button', { name: 'Help' }).click();
  await page.locator('dt').first().waitFor();
  const keys = await page.getByRole('dialog', { name: 'Help' }).locator('dt').allTextContents();
  expect(keys).toEqual(['/', '↓ ↑', 'Enter', 'Esc', '?', '-word', 'pre*', 'tag:x  path:x  author:x']);
  await page.context().close();
});

const mapSummary = (page: Page) => page.locator('.map-view .status');

inBrowser(`the map is loaded when it is opened, lights up hits, and follows filters${note}`, async () => {
  const isOfMap = (path: string) => /map-view|\/map$/.test(path);
  files.asked.length = 0;
  const page = await tab('search/?q=rotate+a+token');
  await settled(page);
  expect(files.asked.filter(isOfMap)).toEqual([]);
  await page.getByRole('link', { name: 'Map' }).click();
  await page.locator('.map-stage canvas').first().waitFor();
  expect(files.asked.filter(isOfMap).length).toBe(3);
  await expect
    .poll(() => mapSummary(page).textContent())
    .toMatch(/^\d linked documents, \d linked pairs?, .*lit on the map: [1-9]/);
  await page.goto(`${files.url}search/?view=map&tag=ops&doc=notes/backup.md`);
  await expect.poll(() => mapSummary(page).textContent()).toMatch(/^1 linked document, 0 linked pairs/);
  await page.locator('.pane > h2').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Remove the filter tag: ops').click();
  await page.locator('.map-legend summary').first().click();
  await page.locator('.map-legend li a').first().click();
  await page.locator('.pane > h2').waitFor();
  await page.goto(`${files.url}search/?view=map&path=bread.md`);
  await page.getByText('No document that passes the filters is linked').waitFor();
  await page.context().close();
});

inBrowser(`an export without links has no map, and finds headings of a long document${note}`, async () => {
  const filler = `## Part\n\n${'The same words again. '.repeat(40)}\n\n`.repeat(400);
  const long = `# One\n\nGo to [the end](#the-end).\n\n${filler}## The end\n\nDone.\n`;
  using unlinked = createPlayground({ 'notes/one.md': long });
  const { code, stderr } = await unlinked.run(['export', 'site', 'notes']);
  expect(code).toBe(0);
  expect(stderr).toContain('No document is linked with another one, so the page has no map.');
  await using served = await serveFiles(join(unlinked.folder, 'site'));
  const page = await tab('?view=map', served);
  await page.getByText('1 document', { exact: true }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(0);
  await page.locator('.documents a').click();
  await page.locator('.text').getByText('the end').click();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('The end');
  expect(readdirSync(join(unlinked.folder, 'site/assets')).filter((name) => name.startsWith('map'))).toEqual(
    [],
  );
  await page.context().close();
});

inBrowser(`the page of an export passes axe, light and dark, wide and narrow${note}`, async () => {
  for (const [colorScheme, width, path] of [
    ['light', 1280, 'search/?q=rotate+a+token&doc=notes/backup.md'],
    ['dark', 360, 'search/?q=rotate+a+token&doc=notes/backup.md'],
    ['light', 1280, 'search/?view=map&doc=notes/backup.md'],
    ['dark', 360, 'search/?view=map'],
  ] as const) {
    const page = await tab(path);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const shown = path.includes('doc=') ? '.pane > h2' : '.map-stage canvas';
    await page.locator(shown).first().waitFor();
    await page.evaluate(axe.source);
    expect(await axeFinds(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.context().close();
  }
});

inBrowser(`the element searches on a page of a site, by keyboard, under a strict policy${note}`, async () => {
  const page = await tab();
  await page.getByRole('searchbox', { name: 'Search the docs' }).fill('rotate tok');
  const links = page.locator('docfuse-search a');
  await links.first().waitFor();
  await page.locator('docfuse-search [role=status]', { hasText: /^\d+ hits?$/ }).waitFor();
  expect(await links.first().getAttribute('href')).toBe(`${files.url}pages/guide/tokens/`);
  expect(await page.locator('docfuse-search mark').first().textContent()).toMatch(/rotat/i);
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate('document.activeElement.shadowRoot.activeElement.textContent');
  expect(await focused()).toBe('Tokens');
  await page.evaluate(axe.source);
  expect(await axeFinds(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => links.count()).toBe(0);
  await page.keyboard.type('zzzzzz');
  await page.getByText('Nothing found.').waitFor();
  await page.evaluate("document.querySelector('docfuse-search').removeAttribute('href')");
  // Enter waits for the hits of what stands in the field.
  await page.getByRole('searchbox').fill('rotate tok');
  await links.first().waitFor();
  await page.getByRole('searchbox').fill('knead dough');
  await page.keyboard.press('Enter');
  await page.locator('.pane .marked', { hasText: 'Knead' }).waitFor();
  await page.context().close();
});

inBrowser(
  `the element leaves keys to an input method, and opens a new export in place of the former${note}`,
  async () => {
    const { code } = await playground.run(['export', 'again/search', 'notes']);
    expect(code).toBe(0);
    const site = join(playground.folder, 'again');
    writeFileSync(join(site, 'index.html'), SITE);
    await using again = await serveFiles(site);
    const page = await tab('', again);
    const field = page.getByRole('searchbox');
    const [facts] = await Promise.all([page.waitForResponse(/facts$/), field.focus()]);
    await facts.finished();
    const earlier = problems.length;
    renameSync(join(site, 'search'), join(site, 'former'));
    cpSync(join(site, 'former'), join(site, 'search'), { recursive: true });
    const start = JSON.parse(readFileSync(join(site, 'search/start.json'), 'utf8')) as { data: string };
    renameSync(join(site, 'search', start.data), join(site, 'search/data-0'));
    writeFileSync(join(site, 'search/start.json'), JSON.stringify({ ...start, data: 'data-0' }));
    await field.fill('rotate tok');
    const links = page.locator('docfuse-search a');
    await links.first().waitFor();
    expect(again.missing.some((path) => path.includes(start.data))).toBe(true);
    problems.length = earlier; // the browser notes the missing files
    await page.evaluate(`document.querySelector('docfuse-search').shadowRoot.querySelector('input').dispatchEvent(
    new KeyboardEvent('keydown', { key: 'ArrowDown', isComposing: true, bubbles: true, composed: true }))`);
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.localName')).toBe('input');
    await page.context().close();
  },
);

inBrowser(`the example searches the docs of this project${note}`, async () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const site = join(playground.folder, 'example');
  const filter = (path: string) => !path.endsWith('search');
  cpSync(join(root, 'examples/static-site'), site, { recursive: true, filter });
  const { code, stderr } = await playground.run(['export', 'example/search', join(root, 'docs')]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  await using example = await serveFiles(site);
  const page = await tab('', example);
  const [field, first] = [page.getByRole('searchbox'), page.locator('docfuse-search a').first()];
  await field.fill('snippet begins with sentence');
  expect(await first.textContent()).toMatch(/snippet/i);
  await first.click();
  await page.locator('.pane .marked').first().waitFor();
  await page.goBack();
  await first.waitFor();
  expect(await field.inputValue()).toBe('snippet begins with sentence');
  expect(example.bytes).toBeLessThan(900_000);
  await page.context().close();
});

inBrowser(`a query loads parts of the index, and nothing twice${note}`, async () => {
  const page = await tab('search/?q=snapshot');
  await settled(page);
  files.asked.length = 0;
  await page.getByRole('searchbox').fill('snapshot of the database');
  await expect.poll(() => page.url()).toContain('database');
  await settled(page);
  await page.getByRole('searchbox').fill('snapshot');
  await settled(page);
  expect(files.asked).toEqual([...new Set(files.asked)]);
  await page.context().close();
});

inBrowser(`nothing failed, nothing was missing, and nothing else was asked${note}`, () => {
  expect(problems).toEqual([]);
  expect(files.missing.filter((path) => !path.startsWith('/pages/') && path !== '/favicon.ico')).toEqual([]);
});
