/** Reading in a real browser: long documents, and narrow windows. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

/** Longer than what the page reads at once. Equal passages are embedded once. */
const FILLER = `## Part\n\n${'The same words again. '.repeat(40)}\n\n`.repeat(400);
const LONG = `# Long\n\nA thimble of copper. Go to [the end](#end).\n\n${FILLER}## End\n\nA needle of silver.\n`;
const WIDE_LINE = `# Wide\n\nShort.\n\n${'So it goes on. '.repeat(21_000)}\n`;

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage({ 'notes/long.md': LONG, 'notes/wide.md': WIDE_LINE }))!;
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
});

const settled = (page: Page) => page.locator('.status [role=status]', { hasText: /hit/ }).waitFor();
const focused = (page: Page) =>
  page.evaluate('document.activeElement.textContent || document.activeElement.id');

inBrowser(`another hit and a heading are found in other parts of a long document${note}`, async () => {
  const page = await served.tab('/?q=thimble+of+copper&mode=keyword');
  await settled(page);
  await page.locator('.hit h3 a').first().click();
  await page.locator('.marked', { hasText: 'thimble of copper' }).waitFor();
  await page.getByRole('searchbox').fill('needle of silver');
  await page.locator('.hit', { hasText: 'needle of silver' }).locator('h3 a').click();
  const needle = page.locator('.marked', { hasText: 'needle of silver' });
  await needle.waitFor();
  const { y } = (await needle.boundingBox())!;
  expect(y > 0 && y < 800).toBe(true);
  await page.goBack();
  await page.goBack();
  await page.locator('.text').getByText('the end').click();
  await expect.poll(() => focused(page)).toBe('End');
  await page.goto(`${served.url}/?doc=notes/long.md&heading=End`);
  await expect.poll(() => focused(page)).toBe('End');
  await page.context().close();
});

inBrowser(`a line that is cut says so${note}`, async () => {
  const page = await served.tab('/?doc=notes/wide.md&lines=5-5');
  await page.locator('.notice', { hasText: 'Line 5 is too long for this page.' }).waitFor();
  await page.context().close();
});

inBrowser(`on a narrow window, typing shows the hits, and closing goes back to the hit${note}`, async () => {
  const page = await served.tab('/?q=thimble+of+copper&mode=keyword', {
    viewport: { width: 360, height: 700 },
  });
  await settled(page);
  const hit = page.locator('.hit h3 a').first();
  await hit.click();
  await expect.poll(() => focused(page)).toBe('Long');
  await page.keyboard.press('Escape');
  await hit.waitFor();
  const isHit = () => page.evaluate("document.activeElement.matches('.hit h3 a')");
  expect(await isHit()).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByLabel('Close the document').click();
  await hit.waitFor();
  expect(await isHit()).toBe(true);
  await hit.click();
  await page.locator('.marked').first().waitFor();
  await page.getByRole('searchbox').fill('needle of silver');
  await page.locator('.hit', { hasText: 'needle of silver' }).waitFor();
  expect(await focused(page)).toBe('search-field');
  await page.goBack();
  await page.locator('.marked', { hasText: 'thimble of copper' }).waitFor();
  await page.context().close();
});
