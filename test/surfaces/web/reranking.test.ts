/** A reranking model that takes its time: hits are shown before it answers, and take their places then. */
import { afterAll, beforeAll, expect } from 'vitest';
import { type Service, startService } from '../../adapters/openai/service.ts';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

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
  await page.locator('.status [role=status]', { hasText: /hit/ }).waitFor();
  expect((await titles())[0]).toBe('Code');
  await page.context().close();
});
