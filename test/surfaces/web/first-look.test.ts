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
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
});

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

inBrowser(`a title is shown without the marks that front matter gives it${note}`, async () => {
  const page = await served.tab('/');
  await page.locator('.documents a', { hasText: /^The harbour x$/ }).waitFor();
  await page.goto(`${served.url}/?q=boats`);
  await page.locator('.hit h3 a', { hasText: /^The harbour x$/ }).waitFor();
  await page.context().close();
});
