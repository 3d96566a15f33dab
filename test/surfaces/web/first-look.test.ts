/** What somebody meets who opens the page for the first time, with or without what it would like to have. */
import { afterAll, beforeAll, expect } from 'vitest';
import { inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage({
    'notes/harbour.md': '---\ntitle: "**The harbour** `x`"\n---\n# Harbour\n\nBoats, see [[lantern]].\n',
    'notes/lantern.md': '---\ntags: [light]\n---\n# The lantern\n\nShines, see [[harbour]].\n',
  }))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

inBrowser(`a browser without WebGL says so, and lists the communities${note}`, async () => {
  const page = await served.tab('/healthz');
  await page.addInitScript(`{
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind.includes('webgl') ? null : getContext.call(this, kind, ...more);
    };
  }`);
  await page.goto(`${served.url}/?view=map`);
  await page.getByText('This browser has no WebGL, so the map cannot be drawn.').waitFor();
  await page.locator('.map-legend summary').first().click();
  await page.locator('.map-legend ul ul a', { hasText: /^The harbour x$/ }).click();
  await page.locator('.pane h2', { hasText: /^The harbour x$/ }).waitFor();
  expect(await page.getByRole('application').count()).toBe(0);
  expect(served.errors).toEqual([]);
  await page.context().close();
});

inBrowser(`a browser that keeps nothing for the page shows it all the same${note}`, async () => {
  const page = await served.tab('/healthz');
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });
  }`);
  await page.goto(`${served.url}/?q=boats`);
  await page.locator('.hit h3 a', { hasText: /^The harbour x$/ }).click();
  await page.locator('.pane h2', { hasText: /^The harbour x$/ }).waitFor();
  expect(served.errors).toEqual([]);
  await page.context().close();
});

inBrowser(`a title is shown without the marks that front matter gives it${note}`, async () => {
  const page = await served.tab('/');
  await page.locator('.documents a', { hasText: /^The harbour x$/ }).waitFor();
  await page.goto(`${served.url}/?q=boats`);
  await page.locator('.hit h3 a', { hasText: /^The harbour x$/ }).waitFor();
  await page.context().close();
});

inBrowser(`what the lists at the top do is written beside them${note}`, async () => {
  const page = await served.tab('/');
  for (const label of ['Search by', 'Tuned for', 'Sort']) await page.getByText(label).waitFor();
  await page.getByLabel('Tuned for').selectOption('notes');
  expect(page.url()).toContain('preset=notes');
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.context().close();
});

inBrowser(`Enter takes the one filter that is meant, and otherwise says what to do${note}`, async () => {
  const page = await served.tab('/');
  const field = page.getByLabel('Add a filter');
  const message = page.locator('.filters').getByRole('status');
  await field.fill('a');
  await page.locator('#suggestions option').first().waitFor({ state: 'attached' });
  await field.press('Enter');
  await message
    .getByText('Choose a filter from the list, or write one such as tag:auth or after:30d.')
    .waitFor();
  await field.fill('b');
  expect(await message.textContent()).toBe('');
  expect(page.url()).not.toContain('a=');
  await field.fill('light');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Remove the filter tag: light' }).press('Enter');
  await expect.poll(() => page.evaluate("document.activeElement?.classList.contains('add')")).toBe(true);
  await field.fill('after:yesterday');
  await field.press('Enter');
  const alert = page.getByRole('alert');
  await alert.getByText('“yesterday” is neither a date such as').waitFor();
  expect(await alert.textContent()).toMatch(/Correct or remove the filter\.$/);
  await page.getByRole('searchbox').press('/');
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
  await page.context().close();
});

inBrowser(`filters that could not be read are asked for again${note}`, async () => {
  const page = await served.tab('/');
  const problem = { code: 'storage', detail: 'No.', remedy: 'Wait.' };
  const lists = /\/api\/(tags|collections|documents)$/;
  await page.route(lists, (route) => route.fulfill({ status: 500, json: problem }));
  const field = page.getByLabel('Add a filter');
  const offered = page.locator('#suggestions option');
  await field.focus();
  await offered.first().waitFor({ state: 'attached' });
  await page.unroute(lists);
  await field.blur();
  await field.fill('light');
  await expect.poll(() => offered.first().getAttribute('value')).toBe('tag:light');
  await page.context().close();
});

inBrowser(`a query that is too long is not answered with fields of the API${note}`, async () => {
  const page = await served.tab('/?tag=e');
  await page.getByRole('searchbox').fill('boats '.repeat(3_000));
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect((await alert.textContent())!.trim()).toMatch(/^query: [^.]*16,?000[^.]*\. Use fewer words\.$/);
  await page.context().close();
});

inBrowser(`Ctrl+Enter says how to set up a language model${note}`, async () => {
  const page = await served.tab('/?q=boats');
  await page.locator('.hit').first().waitFor();
  await page.getByRole('searchbox').press('Control+Enter');
  await page
    .locator('.message', { hasText: 'Set base_url and model under [answer] in docfuse.toml' })
    .waitFor();
  await page.context().close();
});

inBrowser(`the open document is marked in the list of documents${note}`, async () => {
  const page = await served.tab('/');
  await page.locator('.documents a', { hasText: 'The lantern' }).click();
  await page.locator('.pane h2').waitFor();
  expect(await page.locator('.documents [aria-current=true]').allTextContents()).toEqual(['The lantern']);
  await page.context().close();
});

inBrowser(`the map is not much higher than wide${note}`, async () => {
  const page = await served.tab('/?view=map', { viewport: { width: 390, height: 1_000 } });
  const box = (await page.locator('.map-canvas').boundingBox())!;
  expect(box.height / box.width).toBeLessThan(1.3);
  await page.context().close();
});
