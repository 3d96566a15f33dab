/** The view of the state of the index: facts, live changes, what needs care, plots, checks. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

const BROKEN = 10_000;
/** One document with very many broken links. */
const MANY = `# Many\n\n${Array.from({ length: BROKEN }, (_, at) => `[x](gone/${at}.md)`).join('\n\n')}\n`;
const FILES = {
  ...NOTES,
  'notes/links.md': '---\ntags: [a\n---\n# Links\n\nSee [[nowhere]] and [lost](../../lost.md).\n',
  'notes/data.md': '\0\u0001\u0002\0',
};

let served: ServedPage;
let crowded: ServedPage;
let empty: ServedPage;
beforeAll(async () => {
  if (note !== '') return;
  [served, crowded, empty] = (await Promise.all([
    servePage(FILES),
    servePage({ 'notes/many.md': MANY }),
    servePage({ 'notes/code.js': '' }),
  ])) as [ServedPage, ServedPage, ServedPage];
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await crowded?.[Symbol.asyncDispose]();
  await empty?.[Symbol.asyncDispose]();
});

const part = (page: Page, name: string | RegExp) => page.getByRole('region', { name });

inBrowser(`the view tells what the index holds${note}`, async () => {
  const page = await served.tab('/?view=status');
  const index = part(page, 'Index');
  await index.getByText('Size on disk').waitFor();
  const facts = (await index.textContent())!;
  expect(facts).toMatch(/Documents7Passages\d+Links\d+/);
  expect(facts).toMatch(/Size on disk\d+(\.\d)? [KM]B/);
  expect(facts).toMatch(/notes: 7 documents in .*notes/);
  expect(facts).not.toMatch(/Without vectors|Kept vectors|error/);
  expect(await part(page, 'Now').textContent()).toBe('NowThe server waits for changes.');
  await page.context().close();
});

inBrowser(`what needs care is listed, and opens the document at the line${note}`, async () => {
  const page = await served.tab('/?view=status');
  const broken = part(page, 'Broken links');
  await broken.getByText('links.md:6').first().waitFor();
  expect(await broken.locator('h2').textContent()).toBe('Broken links 2');
  expect(await broken.locator('li').allTextContents()).toEqual([
    'links.md:6 links to nowhere',
    'links.md:6 links to ../../lost.md',
  ]);
  expect(await part(page, 'Files left out').locator('li').allTextContents()).toEqual([
    expect.stringMatching(/^notes\/data\.md not text/),
  ]);
  expect(await part(page, 'Warnings').textContent()).toMatch(/notes\/links\.md Front matter/);
  const copies = part(page, 'Copies');
  expect(await copies.locator('.entries > li').allTextContents()).toEqual([
    'bread.mdcopy/bread.md all the same',
  ]);
  expect(await part(page, 'Most passages').locator('.entries li').first().textContent()).toMatch(
    /^guide\/tokens\.md \d+ passages, \d/,
  );
  await broken.getByText('links.md:6').first().click();
  await page.locator('.pane .marked', { hasText: 'nowhere' }).waitFor();
  expect(page.url()).toMatch(/view=status&doc=notes%2Flinks\.md&lines=6-6$/);
  expect(await broken.locator('li').count()).toBe(2);
  await page.context().close();
});

inBrowser(`plots are drawn, follow the width and the colours, and are told in words${note}`, async () => {
  for (const query of ['token', 'bread']) {
    const response = await fetch(`${served.url}/api/search?mode=keyword&query=${query}`);
    await response.text();
  }
  const page = await served.tab('/?view=status');
  const searches = part(page, 'Searches');
  await searches.locator('canvas').first().waitFor();
  expect(await searches.textContent()).toMatch(
    /By wordsSince the server started, half were answered within [\d.,]+ ms, and 95 % within/,
  );
  const sizes = part(page, 'Most passages');
  await sizes.getByText('As a table').click();
  expect(await sizes.locator('tbody tr').first().textContent()).toMatch(/^1\d+$/);
  const pixels = () =>
    page.evaluate(`(() => {
      const canvas = document.querySelector('[aria-labelledby=sizes] canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return [canvas.width, new Set(new Uint32Array(data.buffer)).size > 3, data.join().length];
    })()`) as Promise<[number, boolean, number]>;
  const [width, isDrawn, light] = await pixels();
  expect(isDrawn).toBe(true);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(async () => (await pixels())[2]).not.toBe(light);
  await page.setViewportSize({ width: 360, height: 700 });
  await expect.poll(async () => (await pixels())[0]).toBeLessThan(width);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.context().close();
});

inBrowser(`changes are shown when they happen, over one connection for the page${note}`, async () => {
  const page = await served.tab();
  let connections = 0;
  page.on('request', (request) => {
    // The page that the tab was opened with has a connection, too.
    const isOfView = request.frame().url().includes('view=status');
    if (isOfView && request.url().endsWith('/api/events')) connections++;
  });
  await page.goto(`${served.url}/?view=status&doc=notes/code.md`);
  await page.locator('.text', { hasText: 'rotateToken' }).waitFor();
  const index = part(page, 'Index');
  await index.getByText('Size on disk').waitFor();
  served.playground.write({ 'notes/code.md': `${NOTES['notes/code.md']}\n[[missing]]\n` });
  const now = part(page, 'Now');
  await now.getByText('notes/code.md').waitFor();
  expect(await now.locator('li').first().textContent()).toMatch(/changed notes\/code\.md$/);
  await part(page, 'Broken links').getByText('code.md:7').waitFor();
  await page.locator('.text', { hasText: 'missing' }).waitFor();
  served.playground.write({ 'notes/new.md': '# New\n\nA document that was not there.\n' });
  await index.getByText('notes: 8 documents').waitFor();
  rmSync(join(served.playground.folder, 'notes/new.md'));
  await now.getByText('removed').waitFor();
  await index.getByText('notes: 7 documents').waitFor();
  expect(connections).toBe(1);
  await page.context().close();
});

inBrowser(`a longer list is not replaced by a shorter one that was asked for before${note}`, async () => {
  const page = await crowded.tab('/?view=status');
  const broken = part(page, 'Broken links');
  const more = broken.getByRole('button', { name: 'Show 90 more' });
  await more.waitFor();
  const short = Promise.withResolvers<void>();
  await page.route('**/api/audit', async (route) => {
    const answer = await route.fetch();
    if (route.request().postDataJSON().limit === 20) await short.promise;
    await route.fulfill({ response: answer });
  });
  const asked = page.waitForRequest('**/api/audit');
  crowded.playground.write({ 'notes/few.md': '# Few\n\nNew.\n' });
  await asked;
  await more.click();
  await expect.poll(() => broken.locator('li').count()).toBe(100);
  const arrived = page.waitForResponse('**/api/audit');
  short.resolve();
  await (await arrived).finished();
  await page.waitForTimeout(100);
  expect(await broken.locator('li').count()).toBe(100);
  rmSync(join(crowded.playground.folder, 'notes/few.md'));
  await page.context().close();
});

inBrowser(`the view asks for the state of the index once when it is loaded${note}`, async () => {
  const page = await served.tab('/healthz');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${served.url}/?view=status`);
  await part(page, 'Broken links').getByText('links.md:6').first().waitFor();
  expect(asked.filter((path) => path === '/api/status')).toHaveLength(1);
  await page.getByRole('navigation', { name: 'Views' }).getByText('Search').click();
  await page.getByText('Your documents and questions stay on the server').waitFor();
  await page.context().close();
});

inBrowser(`what is read or embedded now has a progress bar${note}`, async () => {
  const page = await served.tab();
  const event = { phase: 'embed', done: 300, total: 1_200, share: 0.5 };
  await page.route('**/api/events', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `event: progress\ndata: ${JSON.stringify(event)}\n\n`,
    }),
  );
  await page.route('**/api/status', async (route) => {
    const answer = await (await route.fetch()).json();
    const server = { ...answer.server, activity: { state: 'embedding', done: 300, total: 1_200 } };
    await route.fulfill({ json: { ...answer, server } });
  });
  await page.goto(`${served.url}/?view=status`);
  const now = part(page, 'Now');
  await now.getByText('300 of 1,200').waitFor();
  expect(await now.textContent()).toContain('Embedding passages');
  expect([0.25, 0.5]).toContain(Number(await now.getByRole('progressbar').getAttribute('value')));
  await page.context().close();
});

inBrowser(`the checks of the index are made when asked for${note}`, async () => {
  const page = await served.tab('/?view=status');
  const health = part(page, 'Health');
  await health.getByRole('button', { name: 'Check now' }).click();
  await health.getByText(/^\d+ checks: \d+ fine\.$/).waitFor();
  expect(await health.locator('dt').allTextContents()).toEqual(
    expect.arrayContaining(['OK database', 'OK model', 'OK query']),
  );
  await page.route('**/api/doctor', (route) =>
    route.fulfill({
      json: {
        healthy: false,
        checks: [
          { name: 'model', state: 'failure', detail: 'The model is damaged.', remedy: 'Install it again.' },
          { name: 'node', state: 'ok', detail: 'Fine.' },
        ],
      },
    }),
  );
  await health.getByRole('button', { name: 'Check now' }).click();
  await health.getByText('2 checks: 1 failed, 1 fine.').waitFor();
  expect(await health.locator('.checks > div').first().textContent()).toBe(
    'Failure modelThe model is damaged.Install it again.',
  );
  await page.context().close();
});

inBrowser(`10,000 broken links are shown in steps, and the page stays quick${note}`, async () => {
  const page = await crowded.tab('/?view=status');
  const broken = part(page, 'Broken links');
  await broken.getByText('9,990 more.').waitFor();
  expect(await broken.locator('li').count()).toBe(10);
  await broken.getByRole('button', { name: 'Show 90 more' }).click();
  await broken.getByText('9,900 more.').waitFor();
  await page.evaluate(`window.longest = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask' })`);
  await broken.getByRole('button', { name: 'Show 900 more' }).click();
  await expect.poll(() => broken.locator('li').count()).toBe(1_000);
  expect(await broken.locator('p').last().textContent()).toBe(
    '9,000 more. docfuse audit and docfuse status list them all.',
  );
  expect(await page.evaluate('window.longest')).toBeLessThan(1_000);
  await page.context().close();
});

inBrowser(`a server that goes away is waited for, and what was known stays${note}`, async () => {
  const page = await crowded.tab('/?view=status');
  const index = part(page, 'Index');
  await index.getByText('notes: 1 document in').waitFor();
  await crowded.stop();
  await page.getByRole('alert').filter({ hasText: 'The server does not answer.' }).waitFor();
  expect(await index.textContent()).toContain('Documents1');
  await crowded.start();
  await expect.poll(() => page.getByRole('alert').count(), { timeout: 10_000 }).toBe(0);
  await page.context().close();
});

inBrowser(`an empty index is told, and its first document appears${note}`, async () => {
  const page = await empty.tab('/?view=status');
  const index = part(page, 'Index');
  await index.getByText('notes: 0 documents').waitFor();
  await part(page, 'Broken links').getByText('All links lead to a document.').waitFor();
  await part(page, 'Searches').getByText('No searches since the server started.').waitFor();
  expect(await part(page, 'Most passages').count()).toBe(0);
  empty.playground.write({ 'notes/first.md': '# First\n\nWords.\n' });
  await index.getByText('notes: 1 document in').waitFor();
  await part(page, 'Most passages').getByText('first.md').waitFor();
  await page.context().close();
});

inBrowser(`nothing was thrown, blocked or asked of others${note}`, () => {
  for (const { errors, blocked, strangers } of [served, crowded, empty])
    expect([errors, blocked, strangers]).toEqual([[], [], []]);
});
