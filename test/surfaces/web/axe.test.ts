/** Accessibility faults that axe finds in each view, and text that is wider than the window. */
import axe from 'axe-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { axeFinds } from './axe-finds.ts';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage, settled } from './serve-page.ts';
import { TUNED } from './tuned.ts';
import { WRITTEN } from './written.ts';

/** Nothing listens there: the tests answer in its place. */
const ANSWERS = ['--set', 'answer.base_url=http://127.0.0.1:9/v1', '--set', 'answer.model=tiny'];

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage(NOTES, [...ANSWERS, '--judge']))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

for (const options of [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 700 } },
] as const) {
  inBrowser(
    `every view passes axe, ${options.colorScheme}, ${options.viewport.width} px wide${note}`,
    async () => {
      const page = await served.tab('/healthz', options);
      await page.addInitScript(axe.source);
      await page.goto(served.url);
      const check = async (view: string) => {
        const found = await axeFinds(page);
        expect(found, `${view} ${options.colorScheme}`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), view).toBe(true);
      };
      await page.getByText('6 documents').waitFor();
      await check('start');
      await page.getByRole('searchbox').fill('rotate a token');
      await settled(page);
      await page.getByText('Why this hit').first().click();
      await page.getByText('All numbers').first().click();
      await page.getByText('Close to the query in meaning').first().waitFor();
      await check('hits');
      await page.route('**/api/ask', (route) => route.fulfill(WRITTEN));
      await page.getByText('Answer this').click();
      await page.locator('.sources').waitFor();
      await check('answer');
      await page.locator('.hit h3 a').first().click();
      await page.locator('.related').waitFor();
      await page.getByText('Outline').click();
      await check('reading');
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await check('help');
      await page.goto(`${served.url}/?view=status`);
      await page.getByText('Size on disk').waitFor();
      await page.getByText('Most passages').waitFor();
      await page.getByText('As a table').click();
      await page.getByText('Check now').click();
      await page.locator('.checks').waitFor();
      await check('status');
      await page.goto(`${served.url}/?view=map`);
      await page.getByText('linked documents').first().waitFor();
      await page.locator('.map-legend summary').first().click();
      await page.locator('.map-legend a').first().waitFor();
      await check('map');
      const grades = { query: 'rotate a token', documents: ['notes/guide/tokens.md'], grades: ['2'] };
      await page.request.post(`${served.url}/api/judge`, { data: grades });
      await page.route('**/api/tune', (route) => route.fulfill({ json: TUNED }));
      await page.goto(`${served.url}/?view=judged`);
      await page.getByText('What would tuning gain?').click();
      await page.getByText('Copy these lines').waitFor();
      await check('judged');
      await page.context().close();
    },
    120_000,
  );
}
