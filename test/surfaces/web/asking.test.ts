/** An answer above the hits, written by a language model that a local service plays. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Service, startService } from '../../adapters/openai/service.ts';
import { NOTES } from './notes.ts';
import { expectNothingFailed, inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

let service: Service;
let served: ServedPage;
beforeAll(async () => {
  service = await startService();
  const set = ['--set', `answer.base_url=${service.url}`, '--set', 'answer.model=tiny'];
  served = (await servePage(NOTES, set))!;
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.requests.length = 0;
  service.replies.length = 0;
});

const QUERY = '/?q=how+do+I+rotate+a+token';

inBrowser(`an answer is asked for by a button alone, and its citations open the lines${note}`, async () => {
  service.chat = ['**Press** *Rotate* [1, 9].\n\n[1]: https://evil.example\n\n', 'See `list[1]`.'];
  const page = await served.tab();
  await page.keyboard.type('how do I rotate a token', { delay: 5 });
  const answer = page.getByRole('region', { name: 'Answer' });
  await page.locator('.hit').first().waitFor();
  expect(await answer.textContent()).toContain(`tiny at ${new URL(service.url).host}`);
  expect(service.requests).toEqual([]);
  await answer.getByRole('button', { name: 'Answer this' }).click();
  await answer.getByRole('status').filter({ hasText: 'complete' }).waitFor();
  expect(service.requests.length).toBe(1);
  const written = answer.locator('.written');
  expect(await written.locator('strong').textContent()).toBe('Press');
  expect(await written.locator('p').first().textContent()).toBe('Press Rotate [1, 9].');
  // Passage 9 does not exist, code cites nothing, and the model does not choose where a citation leads.
  expect(await written.locator('a').allTextContents()).toEqual(['1', '1']);
  await written.locator('a').first().click();
  await page.locator('.pane .marked', { hasText: 'press Rotate' }).first().waitFor();
  expect(page.url()).toMatch(/doc=notes%2Fguide%2Ftokens\.md&lines=\d+-\d+/);
  expect(await answer.locator('.sources li').count()).toBe(1);
  expect(await answer.locator('.notice').textContent()).toContain('[9]');
  await page.goBack();
  await answer.getByText('Answer again').waitFor();
  await page.getByRole('searchbox').fill('something else');
  await answer.locator('.written').waitFor({ state: 'detached' });
  await page.context().close();
});

inBrowser(`nothing moves down when the server says that it answers${note}`, async () => {
  const page = await served.tab('/healthz');
  await page.route('**/api/status', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue();
  });
  await page.goto(served.url + QUERY);
  await page.getByRole('button', { name: 'Answer this' }).waitFor();
  await page.locator('.hit').first().waitFor();
  // The footer moves when there is anything above it.
  const moved = await page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const nodes = list.getEntries().flatMap(({ sources }) => sources.map(({ node }) => node?.nodeName));
      resolve(nodes.filter((name) => name !== 'FOOTER'));
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve([]), 500);
  })`);
  expect(moved).toEqual([]);
  await page.context().close();
});

inBrowser(`what a model writes runs nothing and loads nothing${note}`, async () => {
  service.chat = [
    '<img src="https://evil.example/a.png" onerror="window.hurt=1">![b](https://evil.example/b.png)',
    '<script>window.hurt=1</script> [Tokens](https://evil.example/c) [https://evil.example.com/x](https://evil.example/c) [d](javascript:window.hurt=1) [1]',
  ];
  const page = await served.tab(QUERY);
  await page.locator('.hit').first().waitFor();
  await page.getByRole('searchbox').press('Control+Enter');
  await page.getByRole('status').filter({ hasText: 'complete' }).waitFor();
  const written = page.locator('.written');
  expect(await written.locator('img, script').count()).toBe(0);
  expect(await written.locator('a[href]').allTextContents()).toEqual([
    'b (evil.example)',
    'Tokens (evil.example)',
    'https://evil.example.com/x (evil.example)',
    '1',
  ]);
  expect(await page.evaluate('window.hurt')).toBeUndefined();
  await page.context().close();
});

inBrowser(`an answer can be stopped, and the service is told${note}`, async () => {
  service.replies.push({ silent: true });
  const page = await served.tab(QUERY);
  await page.locator('.hit').first().waitFor();
  await page.getByRole('button', { name: 'Answer this' }).click();
  await expect.poll(() => service.requests.length).toBe(1);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped here.').waitFor();
  const requests = () =>
    page.evaluate(
      "fetch('/api/status').then((answer) => answer.json()).then(({ server }) => server.requests)",
    );
  await expect.poll(requests).toBe(1);
  service.chat = ['Rotate [1].'];
  await page.getByRole('button', { name: 'Answer again' }).click();
  await page.locator('.written', { hasText: 'Rotate [1].' }).waitFor();
  await page.context().close();
});

inBrowser(`a service that fails, and passages that do not answer, are told in words${note}`, async () => {
  service.chat = 'cut';
  const page = await served.tab(QUERY);
  await page.locator('.hit').first().waitFor();
  await page.getByRole('button', { name: 'Answer this' }).click();
  await page.locator('.answer [role=alert]').waitFor();
  expect(await page.locator('.written').textContent()).toContain('To rotate');
  expect(await page.locator('.answer [role=alert]').textContent()).toMatch(/\. \w.*\.$/);

  await page.getByRole('searchbox').fill('dinosaur fossils of patagonia');
  await page.locator('.hit').first().waitFor();
  const before = service.requests.length;
  await page.getByRole('button', { name: 'Answer this' }).click();
  await page.locator('.answer .notice', { hasText: 'no language model was asked' }).waitFor();
  expect(service.requests.length).toBe(before);
  await page.context().close();
});

inBrowser(`nothing failed, nothing was blocked, and nothing else was asked${note}`, () => {
  expectNothingFailed(served);
});
