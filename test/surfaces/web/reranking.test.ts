/** A reranking model that takes its time: hits are shown before it answers, and take their places then. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Service, startService } from '../../adapters/openai/service.ts';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage, settled } from './serve-page.ts';

let service: Service;
let served: ServedPage;
let gate = Promise.withResolvers<void>();
/** Prefers what says “rotateToken”, when the gate is open. */
const reranker = {
  async score(_: string, passages: readonly string[]) {
    await gate.promise;
    return passages.map((passage) => (passage.includes('rotateToken') ? 0.9 : 0.1));
  },
  async close() {},
};
beforeAll(async () => {
  service = await startService({ reranker });
  const settings = {
    rerank_enabled: 'true',
    rerank_mode: 'replace',
    rerank_base_url: service.url,
    rerank_model: 'm',
  };
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `search.${name}=${value}`]);
  served = (await servePage(NOTES, set))!;
}, 60_000);
afterAll(async () => {
  gate.resolve();
  await served?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

inBrowser(`hits come first, the order of the model after${note}`, async () => {
  const page = await served.tab();
  const titles = () => page.locator('.hit h3 a').allTextContents();
  await page.getByText('6 documents').waitFor();
  // Warming up sends nothing to the service.
  expect(service.requests).toEqual([]);
  await page.keyboard.type('how do I rotate a token', { delay: 5 });
  await page.getByText('reordering').waitFor();
  const before = await titles();
  expect(before[0]).toBe('Tokens');
  gate.resolve();
  await expect.poll(async () => (await titles())[0]).toBe('Code');
  expect((await titles()).toSorted()).toEqual(before.toSorted());
  // A page that is opened with a query waits for the last order, and then says how many hits there are.
  gate = Promise.withResolvers();
  setTimeout(() => gate.resolve(), 100);
  await page.reload();
  await settled(page);
  expect((await titles())[0]).toBe('Code');
  await page.context().close();
});

/**
 * Asks, uses a hit, lets the model reorder, and says how far the hit moved on the screen, how far the page was scrolled, and how
 * many hits glided.
 * @param query one that was not asked before: the model is not asked twice
 */
async function reorder(
  query: string,
  use: (page: Page, hit: Locator) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  gate = Promise.withResolvers();
  const page = await served.tab('/', { viewport: { width: 1000, height: 500 }, ...options });
  await page.getByText('6 documents').waitFor();
  await page.evaluate(`const { animate } = Element.prototype;
    globalThis.glided = 0;
    Element.prototype.animate = function (...given) { glided++; return animate.apply(this, given); };`);
  await page.keyboard.type(query, { delay: 5 });
  await page.getByText('reordering').waitFor();
  const hit = page.locator('.hit', { has: page.getByRole('link', { name: 'Tokens' }) }).first();
  await use(page, hit);
  const top = async () => (await hit.boundingBox())!.y;
  const before = { top: await top(), scrolled: await page.evaluate<number>('scrollY') };
  gate.resolve();
  await expect.poll(() => page.locator('.hit h3 a').first().textContent()).toBe('Code');
  // Hits have arrived where they glide to.
  await page.waitForTimeout(400);
  const scrolled = (await page.evaluate<number>('scrollY')) - before.scrolled;
  const moved = (await top()) - before.top;
  const glided = await page.evaluate<number>('glided');
  const focused = await page.evaluate<string>('document.activeElement.textContent');
  await page.context().close();
  return { moved, scrolled, glided, focused };
}

inBrowser(
  `the hit in use keeps its place while others glide, and nothing scrolls for who types${note}`,
  async () => {
    const pointed = await reorder('how to rotate a token', (_, hit) => hit.hover());
    expect(Math.abs(pointed.moved)).toBeLessThan(1);
    expect(pointed).toMatchObject({
      scrolled: expect.toSatisfy((by) => by > 10),
      glided: expect.toSatisfy((times) => times > 0),
    });
    const focused = await reorder(
      'when to rotate a token',
      (_, hit) => hit.getByRole('link', { name: 'Tokens' }).focus(),
      {
        reducedMotion: 'reduce',
      },
    );
    expect(Math.abs(focused.moved)).toBeLessThan(1);
    expect(focused).toMatchObject({ glided: 0, focused: 'Tokens' });
    const typed = await reorder('where to rotate a token', async (page, hit) => {
      await hit.hover();
      await page.keyboard.press('Shift');
    });
    expect(typed).toMatchObject({ scrolled: 0, moved: expect.toSatisfy((by) => by > 10) });
  },
);
