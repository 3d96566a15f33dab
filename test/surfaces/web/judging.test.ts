/** Grades given on the page: kept, shown, taken back, and what tuning by them would gain. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { NOTES } from './notes.ts';
import { expectNothingFailed, inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

let served: ServedPage;
let plain: ServedPage;
beforeAll(async () => {
  if (note !== '') return;
  [served, plain] = (await Promise.all([servePage(NOTES, ['--judge']), servePage(NOTES)])) as [
    ServedPage,
    ServedPage,
  ];
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await plain?.[Symbol.asyncDispose]();
});

const QUERY = '/?q=rotate+a+token';
const pressed = (page: Page) => page.locator('.hits .judge [aria-pressed=true]').allTextContents();
const saved = (page: Page) => page.waitForResponse((answer) => answer.url().endsWith('/api/judge'));
const listed = async (page: Page) => {
  const text = await page.evaluate("fetch('/api/judged').then((answer) => answer.text())");
  return JSON.parse(text as string).sets[0].queries;
};

inBrowser(`a server that saves no grades shows no buttons, and says how to save them${note}`, async () => {
  const page = await plain.tab(QUERY);
  await page.locator('.hit').first().waitFor();
  expect(await page.getByText('Does not answer').count()).toBe(0);
  expect(await page.getByRole('navigation', { name: 'Views' }).getByText('Judged').count()).toBe(0);
  await page.goto(`${plain.url}/?view=judged`);
  await page.getByText('docfuse serve --judge').waitFor();
  await page.context().close();
});

inBrowser(`a grade is kept, survives a reload, and is taken back${note}`, async () => {
  const page = await served.tab(QUERY);
  const hit = page.locator('.hit', { hasText: 'in the settings' });
  // The grade counts before the page has read it back.
  await page.route('**/api/judged', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  await Promise.all([saved(page), hit.getByRole('button', { name: 'Answers', exact: true }).click()]);
  expect(await pressed(page)).toContain('Answers');
  await page.getByRole('button', { name: 'Nothing here answers' }).click();
  await page.locator('.message', { hasText: 'Take that grade back first.' }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  const title = page.locator('.hit h3 a').first();
  await title.focus();
  await Promise.all([saved(page), page.keyboard.press('1')]);
  await expect.poll(() => listed(page)).toMatchObject([{ query: 'rotate a token' }]);
  await page.reload();
  await page.locator('.hit').first().waitFor();
  await expect.poll(() => pressed(page)).toContain('Helps');
  const [first] = await listed(page);
  const count = first.judgements.length;
  await Promise.all([saved(page), page.locator('.judge [aria-pressed=true]').first().click()]);
  await expect.poll(async () => (await listed(page))[0]?.judgements.length ?? 0).toBe(count - 1);
  // The grade belongs to the query.
  await page.getByRole('searchbox').fill('knead the dough');
  await page.locator('.hit', { hasText: 'Knead' }).first().waitFor();
  expect(await pressed(page)).toEqual([]);
  await page.context().close();
});

inBrowser(`a query that nothing answers is marked so, and the mark is taken back${note}`, async () => {
  const page = await served.tab('/?q=dinosaur+fossils+of+patagonia');
  await page.getByRole('heading', { name: 'No sure answer' }).waitFor();
  const button = page.getByRole('button', { name: 'Nothing here answers' });
  await Promise.all([saved(page), button.click()]);
  const mark = { query: 'dinosaur fossils of patagonia', unanswerable: true };
  await expect.poll(() => listed(page)).toEqual(expect.arrayContaining([expect.objectContaining(mark)]));
  await page.reload();
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
  // Another query is not meant.
  await page.getByRole('searchbox').fill('knead the dough');
  await page.locator('.hit', { hasText: 'Knead' }).first().waitFor();
  expect(await button.getAttribute('aria-pressed')).toBe('false');
  await page.getByRole('searchbox').fill(mark.query);
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
  await Promise.all([saved(page), button.click()]);
  await expect.poll(() => listed(page)).not.toContainEqual(expect.objectContaining(mark));
  await page.context().close();
});

inBrowser(`the mark that nothing answers is taken back alone, also by a double click${note}`, async () => {
  const query = 'dinosaur eggs of patagonia';
  const page = await served.tab(`/?q=${query.replaceAll(' ', '+')}`);
  await page.getByRole('heading', { name: 'No sure answer' }).waitFor();
  const [no, nothing] = ['Does not answer', 'Nothing here answers'].map((name) =>
    page.getByRole('button', { name }).first(),
  );
  const now = async () =>
    (await listed(page)).filter((each: { readonly query: string }) => each.query === query);
  const graded = { query, judgements: [expect.objectContaining({ grade: 0 })] };
  await Promise.all([saved(page), no!.click()]);
  await Promise.all([saved(page), nothing!.click()]);
  await expect.poll(now).toMatchObject([{ ...graded, unanswerable: true }]);
  await expect.poll(() => nothing!.getAttribute('aria-pressed')).toBe('true');
  await Promise.all([saved(page), nothing!.click()]);
  await expect.poll(now).toMatchObject([{ ...graded, unanswerable: false }]);
  let answers = 0;
  page.on('response', (answer) => {
    if (answer.url().endsWith('/api/judge')) answers++;
  });
  await expect.poll(() => nothing!.getAttribute('aria-pressed')).toBe('false');
  await nothing!.dblclick();
  await expect.poll(() => answers).toBe(2);
  await expect.poll(now).toMatchObject([{ ...graded, unanswerable: false }]);
  expect(await nothing!.getAttribute('aria-pressed')).toBe('false');
  await page.context().close();
});

inBrowser(`a grade that cannot be saved is taken back, and the reason is shown${note}`, async () => {
  const page = await served.tab('/?q=snapshot+of+the+database');
  await page.locator('.hit').first().waitFor();
  const problem = { code: 'storage', detail: 'The disk is full.', remedy: 'Free some space.' };
  await page.route('**/api/judge', (route) => route.fulfill({ status: 500, json: problem }));
  await page.locator('.hit').first().getByRole('button', { name: 'Helps' }).click();
  await page.locator('.message', { hasText: 'Not saved. The disk is full. Free some space.' }).waitFor();
  await expect.poll(() => pressed(page)).toEqual([]);
  await page.context().close();
});

inBrowser(
  `the view of what was judged lists, changes and removes, and measures what tuning gains${note}`,
  async () => {
    const page = await served.tab('/?view=judged');
    const give = async (query: string, document: string) =>
      page.evaluate(
        `fetch('/api/judge', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: ${JSON.stringify(query)}, documents: ['notes/${document}'], grades: ['2'] }) })`,
      );
    await give('nightly snapshot', 'backup.md');
    await page.reload();
    await page.getByRole('button', { name: 'What would tuning gain?' }).click();
    await page.getByRole('alert').filter({ hasText: 'Too few judged queries' }).waitFor();
    for (let number = 0; number < 10; number++) await give(`token ${number}`, 'guide/tokens.md');
    await page.reload();
    const entry = page.locator('.judged-queries > li', { hasText: 'nightly snapshot' });
    await Promise.all([saved(page), entry.getByRole('button', { name: 'Helps' }).click()]);
    await entry.locator('[aria-pressed=true]', { hasText: 'Helps' }).waitFor();
    await entry.getByText('backup.md').click();
    await page.locator('.pane > h2', { hasText: 'Backups' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'What would tuning gain?' }).click();
    await page.getByText(/Of 1\d queries, \d+ get better/).waitFor({ timeout: 60_000 });
    expect(await page.locator('.gain meter').count()).toBe(4);
    await entry.getByText('Remove this query').click();
    await entry.waitFor({ state: 'detached' });
    expect((await listed(page)).some(({ query }: { query: string }) => query === 'nightly snapshot')).toBe(
      false,
    );
    await page.locator('.judged-queries h3 a').first().click();
    await page.locator('.hit').first().waitFor();
    expect(page.url()).not.toContain('view=');
    await page.context().close();
  },
);

inBrowser(`a query that no document answers is removed, too${note}`, async () => {
  const judge = (...more: readonly string[]) =>
    served.playground.run(['judge', 'price of gold', 'notes', ...more]);
  expect((await judge('--documents', 'bread.md', '--grades', '0')).code).toBe(0);
  expect((await judge('--unanswerable')).code).toBe(0);
  const page = await served.tab('/?view=judged');
  const entry = page.locator('.judged-queries > li', { hasText: 'No document answers it.' });
  await entry.getByText('Remove this query').click();
  await entry.waitFor({ state: 'detached' });
  await page.context().close();
});

inBrowser(`buttons stand below each other, also when one is pressed${note}`, async () => {
  const page = await served.tab('/?view=judged');
  const lefts = async () =>
    page
      .locator('.judged-queries .judge')
      .evaluateAll((all) =>
        all.map((each) => Math.round((each as unknown as { offsetLeft: number }).offsetLeft)),
      );
  await page.locator('.judged-queries .judge').nth(5).waitFor();
  await Promise.all([saved(page), page.locator('.judged-queries .judge').first().getByText('Helps').click()]);
  await expect.poll(async () => new Set(await lefts()).size).toBe(1);
  await page.context().close();
});

inBrowser(`leaving the view stops the measuring${note}`, async () => {
  const page = await served.tab('/?view=judged');
  await page.route('**/api/tune', () => undefined);
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/tune'));
  const begun = page.waitForRequest('**/api/tune');
  await page.getByRole('button', { name: 'What would tuning gain?' }).click();
  await begun;
  await page.getByRole('navigation', { name: 'Views' }).getByText('Search').click();
  await stopped;
  await page.context().close();
});

inBrowser(`nothing failed, nothing was blocked, and nothing else was asked${note}`, () => {
  expectNothingFailed(served);
});
