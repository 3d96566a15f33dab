/** The page of an export with vectors: it finds by meaning as the command does, after its reader has switched that on. */
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { formatBytes } from '../../../src/core/text/format-numbers.ts';
import { closeTabs, openBrowser } from '../../support/chromium.ts';
import { createPlayground, type Playground } from '../cli/docfuse.ts';
import { type FileServer, serveFiles } from './serve-files.ts';
import { inBrowser, note, settled } from './serve-page.ts';

/** Questions whose words stand in no document, or only in a wrong one. */
const QUESTIONS = [
  'my car does not start in winter',
  'why does the loaf not rise',
  'protect a computer from thieves',
  'how to look after plants in summer',
];
const VAULT = {
  'notes/engine.md':
    '# Battery\n\nOn cold mornings the engine of the vehicle may stay silent. Charge the battery. See [[tyres]].\n',
  'notes/tyres.md': '# Tyres\n\nFit softer rubber before the first snow falls.\n',
  'notes/yeast.md': '# Dough\n\nOld yeast makes flat bread. Keep the dough warm for two hours.\n',
  'notes/lock.md':
    '# Laptops\n\nEncrypt the disk and lock the screen, so that a stolen machine tells nothing.\n',
  'notes/garden.md': '# Garden\n\nWater the flowers at dawn while it is hot.\n',
  'notes/start.md': '# Start\n\nThis page lists the other pages of the collection.\n',
};

let playground: Playground;
let files: FileServer;
let bytes = 0;
const problems: string[] = [];
beforeAll(async () => {
  playground = createPlayground(VAULT, { packagedModel: true });
  const { code, stdout, stderr } = await playground.run([
    'export',
    'site/search',
    'notes',
    '--vectors',
    '--json',
  ]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  bytes = JSON.parse(stdout).meaning_bytes;
  files = await serveFiles(join(playground.folder, 'site'));
}, 120_000);
afterAll(async () => {
  await closeTabs();
  await files?.[Symbol.asyncDispose]();
  playground?.[Symbol.dispose]();
});

async function tab(path: string): Promise<Page> {
  const page = await (await openBrowser()).newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(files.url) && !request.url().startsWith('data:'))
      problems.push(request.url());
  });
  await page.goto(`${files.url}search/${path}`);
  return page;
}

const choice = (page: Page) => page.getByLabel(/^Search by meaning too/);
const isReady = (page: Page) => page.getByText('Found by words and meaning.').waitFor();
const ofModel = () =>
  files.asked.filter((path) => path.includes('/model-') || /vectors|neighbours/.test(path));

/** Asks, and waits for the answer by meaning. */
async function ask(page: Page, query: string): Promise<readonly string[]> {
  await page.getByRole('searchbox').fill(query);
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(query);
  await settled(page);
  return page.locator('.hit .place, .hit .path').allTextContents();
}

inBrowser(`loads nothing before the reader agrees, then answers as the command does${note}`, async () => {
  const page = await tab('');
  await page.getByText('6 documents').waitFor();
  expect(await page.getByText(`Search by meaning too (${formatBytes(bytes)})`).isVisible()).toBe(true);
  expect(ofModel()).toEqual([]);
  const before = files.bytes;
  await choice(page).check();
  await isReady(page);
  expect(files.bytes - before).toBeLessThan(bytes * 1.01);
  expect(files.bytes - before).toBeGreaterThan(bytes * 0.99);
  for (const question of QUESTIONS) {
    const { stdout } = await playground.run(['search', question, 'notes', '--json', '--top-n', '20']);
    const { hits, unsure } = JSON.parse(stdout) as Record<'hits' | 'unsure', { readonly path: string }[]>;
    const wanted = [...hits, ...unsure].map(({ path }) => path);
    await ask(page, question);
    const titles = () => page.locator('.hit').evaluateAll((all) => all.map((hit) => hit.textContent));
    await expect
      .poll(async () => (await titles()).map((text) => wanted.find((path) => text?.includes(path))))
      .toEqual(wanted);
  }
  await page.getByText('Why this hit').first().click();
  await page
    .locator('.why')
    .getByText(/meaning/i)
    .first()
    .waitFor();
  await page.context().close();
});

inBrowser(`remembers the choice, and keeps what it has loaded${note}`, async () => {
  const page = await tab('');
  await choice(page).check();
  await isReady(page);
  const before = files.bytes;
  await page.goto(`${files.url}search/?q=${encodeURIComponent(QUESTIONS[1]!)}`);
  await isReady(page);
  expect(files.bytes - before).toBeLessThan(1_000_000);
  await expect.poll(() => page.locator('.hit h3 a').first().textContent()).toBe('Dough');
  await page.evaluate(axe.source);
  expect(await page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id }) => id))`)).toEqual(
    [],
  );
  await choice(page).uncheck();
  await page.reload();
  await page
    .locator('.status [role=status]', { hasText: /hit|^$/ })
    .first()
    .waitFor();
  expect(await choice(page).isChecked()).toBe(false);
  await page.context().close();
});

inBrowser(`without the model, words go on, and the page says so${note}`, async () => {
  const { meaning } = JSON.parse(readFileSync(join(playground.folder, 'site/search/start.json'), 'utf8'));
  const part = join(playground.folder, 'site/search', meaning.folder, 'model-3');
  renameSync(part, `${part}-away`);
  const page = await tab('?q=yeast');
  const earlier = problems.length;
  await choice(page).check();
  await page.getByText('/model-3 could not be loaded: the server answers 404.').waitFor();
  problems.length = earlier; // the browser notes the missing file
  expect(await choice(page).isChecked()).toBe(false);
  await ask(page, 'engine battery');
  expect(await page.locator('.hit h3 a').first().textContent()).toBe('Battery');
  renameSync(`${part}-away`, part);
  await choice(page).check();
  await isReady(page);
  await page.context().close();
});

inBrowser(`without WebAssembly, words go on, and the page says so${note}`, async () => {
  files.policy = "script-src 'self'";
  const page = await tab('?q=yeast');
  await choice(page).check();
  await page.getByText('WebAssembly is not allowed here.').waitFor();
  await expect.poll(() => page.locator('.hit h3 a').first().textContent()).toBe('Dough');
  files.policy = '';
  problems.length = 0; // the browser notes the refusal
  await page.context().close();
});

/** Runs `work` while the texts of the export are away. */
async function withoutTexts(work: () => Promise<void>): Promise<void> {
  const earlier = problems.length;
  const { data } = JSON.parse(readFileSync(join(playground.folder, 'site/search/start.json'), 'utf8'));
  const texts = join(playground.folder, 'site/search', data, 'texts');
  renameSync(texts, `${texts}-away`);
  await work();
  renameSync(`${texts}-away`, texts);
  problems.length = earlier; // the browser notes the missing files
}

inBrowser(`a file that the worker lacks leaves one question to words${note}`, async () => {
  const page = await tab('');
  const first = () => page.locator('.hit h3 a').first().textContent();
  await ask(page, 'yeast');
  await expect.poll(first).toBe('Dough');
  await page.getByRole('searchbox').fill('');
  await choice(page).check();
  await isReady(page);
  await withoutTexts(async () => {
    const answer = page.waitForResponse((response) => response.status() === 404);
    await page.getByRole('searchbox').fill('yeast');
    await answer;
    await expect.poll(first).toBe('Dough');
    await page.getByText(/texts.\d+ could not be loaded.*Words alone were searched/).waitFor();
  });
  await ask(page, QUESTIONS[0]!);
  await expect.poll(first).toBe('Battery');
  await isReady(page);
  await page.context().close();
});

inBrowser(`the worker stays when the page opens the same export again${note}`, async () => {
  const page = await tab('');
  await choice(page).check();
  await isReady(page);
  files.asked.length = 0;
  await withoutTexts(async () => {
    await page.getByRole('searchbox').fill(QUESTIONS[0]!);
    await page.getByText('A file of this page could not be loaded').waitFor();
  });
  await ask(page, QUESTIONS[1]!);
  await expect.poll(() => page.locator('.hit h3 a').first().textContent()).toBe('Dough');
  await page.locator('.hit h3 a').first().click();
  await page.locator('.pane .marked').first().waitFor();
  await isReady(page);
  expect(files.asked).toContain('/search/start.json');
  expect(ofModel()).toEqual([]);
  await page.context().close();
});

inBrowser(`nothing failed, and nothing else was asked${note}`, () => {
  // The browser may note a missing file when the test that took it away is over.
  expect(problems.filter((each) => !each.includes('status of 404'))).toEqual([]);
  expect(files.missing.filter((path) => !/\/texts\/|\/model-3$/.test(path))).toEqual([]);
});
