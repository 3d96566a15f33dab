/** The page of an export in a real browser: misspelt words, names of characters, and parts that cannot be loaded. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { closeTabs, openBrowser } from '../../support/chromium.ts';
import { createPlayground, type Playground } from '../cli/docfuse.ts';
import { NOTES } from './notes.ts';
import { type FileServer, serveFiles } from './serve-files.ts';
import { inBrowser, note, settled } from './serve-page.ts';

/** Names of characters: one, two and none; numbers; and words that are read as signs by some. */
const SIGNS = '# Signs\n\nMarked &copy; &ngE; &copyleft; &#x1F600; &amp;lt; (c) "so" www.example.com\n';

let playground: Playground;
let files: FileServer;
beforeAll(async () => {
  playground = createPlayground({ ...NOTES, 'notes/signs.md': SIGNS });
  const { code, stderr } = await playground.run(['export', 'site', 'notes']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const element = '<docfuse-search src="./"></docfuse-search>';
  const script = '<script type="module" src="docfuse-search.js"></script>';
  writeFileSync(join(playground.folder, 'site/element.html'), `<!doctype html>${script}${element}`);
  files = await serveFiles(join(playground.folder, 'site'));
}, 60_000);
afterAll(async () => {
  await closeTabs();
  await files?.[Symbol.asyncDispose]();
  playground?.[Symbol.dispose]();
});

/** Opens the page with a query, and waits until it is answered. */
async function ask(query: string) {
  const page = await (await openBrowser()).newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${files.url}?q=${encodeURIComponent(query)}`);
  await settled(page);
  return page;
}

inBrowser(`a misspelt word is corrected, or the page says that no passage contains it${note}`, async () => {
  const right = await ask('rotate a token');
  expect(files.asked.filter((path) => path.includes('/spellings/'))).toEqual([]);
  await right.close();
  const read = await ask('snapshto');
  await read.getByText('“snapshto” is read as “snapshot”, because no passage contains “snapshto”.').waitFor();
  expect(await read.locator('.hit h3 a').allTextContents()).toContain('Backups');
  await read.close();
  // Begins with a word of the collection, and is no other form of it.
  const unknown = await ask('tokenzqx');
  await unknown.getByText('No passage contains “tokenzqx”.').waitFor();
  await unknown.goto(`${files.url}element.html`);
  await unknown.getByRole('searchbox').fill('snapshto');
  await unknown.getByText('· “snapshto” is read as “snapshot”').waitFor();
  await unknown.close();
});

inBrowser(`a page that is opened from a file says why it is empty${note}`, async () => {
  const page = await (await openBrowser()).newPage();
  const why = page.getByText('This page must come from a web server');
  await page.goto(`file://${join(playground.folder, 'site/index.html')}`);
  await why.waitFor();
  // From a server, it is never seen, nor read aloud.
  await page.route('**/*.js', () => undefined);
  await page.goto(files.url, { waitUntil: 'commit' });
  await why.waitFor({ state: 'hidden' });
  await page.unrouteAll();
  await page.goto(files.url);
  await page.getByRole('searchbox').waitFor();
  expect(await why.count()).toBe(0);
  await page.close();
});

inBrowser(
  `a part of the page that is missing is told, and comes when the page is loaded again${note}`,
  async () => {
    const page = await ask('snapshot');
    const parts = /\/(?:reading-pane|help)-[^/]+\.js$/;
    await page.route(parts, (route) => route.abort());
    await page.locator('.hit h3 a').first().click();
    await page.getByRole('alert').filter({ hasText: 'The document could not be loaded' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('alert').filter({ hasText: 'The help could not be loaded' }).waitFor();
    await page.unroute(parts);
    await page.reload();
    await page.locator('.pane .text').waitFor();
    await page.close();
  },
);

inBrowser(`names of characters are read as Markdown reads them${note}`, async () => {
  const page = await ask('marked signs');
  await page.locator('.hit h3 a').first().click();
  await page
    .locator('.pane .text')
    .getByText('Marked © ≧̸ &copyleft; 😀 &lt; (c) "so" www.example.com')
    .waitFor();
  expect(await page.locator('.pane .text a').count()).toBe(0);
  await page.close();
});
