/** Hits and documents that come while the page is open: the page offers them, and the reader decides. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage, settled } from './serve-page.ts';

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage(NOTES))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

const offer = (page: Page, what: string) => page.getByRole('status').getByText(`Update the ${what}`);
/** Waits until the page has compared what it shows with what the server would answer now. */
const compared = (page: Page, path: string) =>
  page.waitForResponse((response) => response.url().endsWith(path));

inBrowser(`new hits are offered when the index has changed, and shown on request${note}`, async () => {
  const page = await served.tab('/?q=token');
  await settled(page);
  const titles = () => page.locator('.hit h3 a').allTextContents();
  const before = await titles();
  // Another document is nothing new here.
  let quiet = compared(page, '/api/search');
  served.playground.write({ 'notes/soup.md': '---\ntags: [soup]\n---\n# Soup\n\nLeek and potato.\n' });
  expect((await (await quiet).json()).hits.length).toBeGreaterThan(0);
  await page.waitForTimeout(100);
  expect(await offer(page, 'hits').count()).toBe(0);
  quiet = compared(page, '/api/search');
  served.playground.write({ 'notes/ring.md': '# Ring\n\nA token, a token: the ring is a token.\n' });
  await quiet;
  await offer(page, 'hits').waitFor();
  expect(await titles()).toEqual(before);
  const modes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/search')) modes.push(request.postDataJSON().mode);
  });
  await offer(page, 'hits').press('Enter');
  await expect.poll(titles).toContain('Ring');
  expect(await offer(page, 'hits').count()).toBe(0);
  expect(await page.evaluate('document.activeElement.id')).toBe('search-field');
  // Hits by words would undo the order for a moment.
  expect(modes).not.toContain('keyword');
  await page.context().close();
});

inBrowser(`new documents are offered to the list that they belong to${note}`, async () => {
  const [all, ops] = [await served.tab('/'), await served.tab('/?tag=ops')];
  const count = (page: Page) => page.locator('.documents li').count();
  await expect.poll(() => count(ops)).toBe(1);
  const before = await count(all);
  const quiet = compared(ops, '/api/documents');
  served.playground.write({ 'notes/salt.md': '# Salt\n\nFrom the sea.\n' });
  await quiet;
  await offer(all, 'list').click();
  await expect.poll(() => count(all)).toBe(before + 1);
  expect(await offer(ops, 'list').count()).toBe(0);
  await all.context().close();
  await ops.context().close();
});
