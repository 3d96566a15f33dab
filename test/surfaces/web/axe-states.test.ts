/** Accessibility faults that axe finds in states beside the views: dialogs, problems, uncertain answers, the plain page. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { axeFinds } from './axe-finds.ts';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage({ ...NOTES, 'notes/doomed.md': '# Doomed\n\nSoon gone.\n' }))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

/** Brings a page into a state, and waits until it is there. */
type Reach = (page: Page) => Promise<unknown>;

const open = (page: Page, path: string) => page.goto(served.url + path);

const STATES: Readonly<Record<string, Reach>> = {
  'the token is asked for, and was wrong': async (page) => {
    await page.route('**/api/**', (route) => route.fulfill({ status: 401 }));
    await open(page, '/?q=token');
    await page.getByRole('dialog', { name: 'Token' }).getByLabel('Token', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('That token is wrong.').waitFor();
  },
  'no sure answer': async (page) => {
    await page.route('**/api/search', async (route) => {
      const answer = await (await route.fetch()).json();
      const unsure = [...answer.hits, ...answer.unsure];
      await route.fulfill({ json: { ...answer, hits: [], unsure, notice: 'No passage is close enough.' } });
    });
    await open(page, '/?q=token');
    await page.getByText('No sure answer').waitFor();
  },
  'hits, and apart those that are not sure': async (page) => {
    await page.route('**/api/search', async (route) => {
      const answer = await (await route.fetch()).json();
      const [first, ...rest] = [...answer.hits, ...answer.unsure];
      await route.fulfill({ json: { ...answer, hits: [first], unsure: rest } });
    });
    await open(page, '/?q=token');
    await page.getByText('Not sure that these answer it').waitFor();
  },
  'nothing was found': async (page) => {
    await open(page, '/?q=token&tag=nowhere');
    await page.getByText('Nothing was found').waitFor();
  },
  'the server is away': async (page) => {
    await page.route(/\/(api|healthz)\b/, (route) => route.abort());
    await open(page, '/?q=token');
    await page.getByRole('alert').filter({ hasText: 'The server does not answer.' }).waitFor();
  },
  'a filter is wrong': async (page) => {
    await open(page, '/?q=token&after=someday');
    await page.getByRole('alert').filter({ hasText: 'Correct or remove the filter.' }).waitFor();
  },
  'a document was deleted while it was read': async (page) => {
    await open(page, '/?doc=notes/doomed.md');
    await page.locator('.text', { hasText: 'Soon gone.' }).waitFor();
    rmSync(join(served.playground.folder, 'notes/doomed.md'));
    await page.getByRole('alert').filter({ hasText: 'no longer in the index' }).waitFor();
  },
  'a document is not there': async (page) => {
    await open(page, '/?doc=notes/nowhere.md');
    await page.getByRole('alert').filter({ hasText: 'nowhere.md' }).waitFor();
  },
  'filters are suggested, and one is refused': async (page) => {
    await open(page, '/?q=token&tag=auth');
    await page.getByLabel('Add a filter').fill('no such thing');
    await page.keyboard.press('Enter');
    await page.getByText('Choose a filter').waitFor();
    await page.getByLabel('Add a filter').fill('tag');
    await page.getByText('Choose a filter').waitFor({ state: 'hidden' });
  },
  'recent queries': async (page) => {
    await open(page, '/?q=token');
    await page.locator('.hit h3 a').first().click();
    await page.locator('.text').waitFor();
    await open(page, '/');
    await page.getByText('Forget these').waitFor();
  },
  'the plain page for a browser without JavaScript': async (page) => {
    // axe itself needs JavaScript, so the page is shown as such a browser would show it.
    await page.route(/plain=1/, async (route) => {
      const html = await (await route.fetch()).text();
      const body = html.replaceAll(/<\/?noscript>|<script\b[^>]*>[^<]*<\/script>/g, '');
      await route.fulfill({ contentType: 'text/html', body });
    });
    await open(page, '/?plain=1&q=rotate+a+token');
    await page.locator('li mark').first().waitFor();
  },
};

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 700 } },
] as const;

inBrowser(
  `every state passes axe, light and wide, dark and narrow${note}`,
  async () => {
    const failed: unknown[] = [];
    for (const [state, reach] of Object.entries(STATES)) {
      const page = await served.tab('/healthz');
      await page.addInitScript(axe.source);
      await reach(page);
      for (const { colorScheme, viewport } of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        const found = await axeFinds(page);
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        if (isTooWide || (found as readonly unknown[]).length > 0)
          failed.push([state, colorScheme, isTooWide, found]);
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
    }
    expect(failed).toEqual([]);
  },
  120_000,
);
