/** Passages on the page: the snippets of hits, and those similar to what is read. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage(NOTES))!;
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
});

const settled = (page: Page) => page.locator('.status [role=status]', { hasText: /hit/ }).waitFor();

inBrowser(
  `a snippet is rendered, with its marks, but without links and headings of its own${note}`,
  async () => {
    const page = await served.tab('/?q=rotate+a+token+settings');
    await settled(page);
    const snippet = page.locator('.hit .snippet', { hasText: 'in the settings' });
    expect(await snippet.locator('em mark').textContent()).toBe('Rotate');
    expect(await snippet.textContent()).toContain('see backup.');
    expect(await page.locator('.snippet').locator('a, h1, h2, [id]').count()).toBe(0);
    await page.getByRole('searchbox').fill('snapshots 30');
    const row = page.locator('.hit .snippet', { hasText: 'snapshots' }).first();
    await row.locator('mark', { hasText: '30' }).first().waitFor();
    expect(await row.textContent()).not.toContain('---');
    await page.context().close();
  },
);

inBrowser(
  `passages similar to the marked lines are listed, by words where there are no vectors${note}`,
  async () => {
    const page = await served.tab('/?q=a+token+expires&doc=notes/bread.md&lines=3-3');
    const similar = page.getByRole('region', { name: 'Similar passages' });
    const lines: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/related')) lines.push(request.postDataJSON().document);
    });
    await page.reload();
    await similar.getByText('Similar to the marked lines').waitFor();
    expect([...new Set(lines)]).toEqual(['notes/bread.md:3-3']);
    const first = await similar.locator('li > a').first().textContent();
    await similar.locator('li').first().getByText('Preview').click();
    await similar.locator('.preview p', { hasText: 'Knead' }).first().waitFor();
    await similar.locator('li > a').first().click();
    await page.locator('.pane .marked').first().waitFor();
    expect(page.url()).toContain('doc=notes%2Fcopy%2Fbread.md&lines=');
    await page.route('**/api/related', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, similar: [] } });
    });
    await page.goto(`${served.url}/?doc=notes/bread.md&lines=3-3`);
    await similar.locator('li > a', { hasText: first! }).first().waitFor();
    await page.context().close();
  },
);
