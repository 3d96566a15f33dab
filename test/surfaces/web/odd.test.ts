/** The page when things go wrong: hostile documents, a server that goes away, no JavaScript. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { EVIL, HOSTILE_NOTE } from './hostile-note.ts';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage, settled } from './serve-page.ts';

const TOKEN = 'a-token-of-some-length';

const LANTERNS = '# Lanterns\n\nHow to light a lantern.\n';
/** Longer than what the page reads at once. Equal passages are embedded once. */
const LONG = `# Long\n\n${`## Part\n\n${'The same words again. '.repeat(40)}\n\n`.repeat(400)}## End\n\nA needle of silver.\n`;

let served: ServedPage;
let locked: ServedPage;
beforeAll(async () => {
  const files = { ...NOTES, 'notes/hostile.md': HOSTILE_NOTE };
  if (note !== '') return;
  [served, locked] = (await Promise.all([
    servePage(files),
    servePage({ 'notes/a.md': LANTERNS, 'notes/long.md': LONG }, ['--token', TOKEN]),
  ])) as [ServedPage, ServedPage];
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await locked?.[Symbol.asyncDispose]();
});

const FORBIDDEN =
  'script, style, iframe, object, embed, video, audio, form, input, button, svg, math, link, base, meta';
/** Attributes that may be left in a hostile document, those of the page among them. */
const ATTRIBUTES = [
  ...[
    'alt',
    'aria-level',
    'class',
    'data-goes-to',
    'data-name',
    'data-last-line',
    'data-line',
    'data-picture',
    'data-anchor',
  ],
  ...['data-wiki', 'dir', 'href', 'id', 'open', 'rel', 'src', 'tabindex', 'target', 'title'],
];

inBrowser(`a hostile document runs nothing, loads nothing and hides nothing${note}`, async () => {
  const page = await served.tab('/?q=end+of+the+hostile+note&doc=notes/hostile.md');
  await checkHarmless(page);
  expect(served.blocked).toEqual([]);
  // The index leaves out HTML. The page does not rely on it: here it gets all of it.
  await page.route('**/api/documents/*', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, text: HOSTILE_NOTE } });
  });
  await page.reload();
  await page.locator('.text', { hasText: 'clobbered' }).waitFor();
  await page.locator('.text summary', { hasText: 'more' }).click();
  await checkHarmless(page);
  await page.context().close();
});

async function checkHarmless(page: Page): Promise<void> {
  const text = page.locator('.text');
  await text.getByText('The end of the hostile note.').waitFor();
  await settled(page);
  expect(await text.locator(FORBIDDEN).count()).toBe(0);
  expect(await page.locator('.snippet').locator(`${FORBIDDEN}, a, [id], [src]`).count()).toBe(0);
  const names = await page.evaluate(
    "[...new Set([...document.querySelectorAll('.text *')].flatMap((each) => each.getAttributeNames()))]",
  );
  expect(ATTRIBUTES).toEqual(expect.arrayContaining(names as string[]));
  const classes = await page.evaluate(
    "[...new Set([...document.querySelectorAll('.text [class]')].map((each) => each.className))].toSorted()",
  );
  expect(['marked', 'missing', 'picture', 'picture button', 'wide']).toEqual(
    expect.arrayContaining(classes as string[]),
  );
  const sources = await page.evaluate(
    "[...document.querySelectorAll('.text [src]')].map(({ src }) => src.slice(0, 14))",
  );
  expect(sources).toEqual(['data:image/gif']);
  for (const link of await text.locator('a[href]').all())
    expect(await link.getAttribute('href')).toMatch(/^(\.\/\?|https:\/\/evil\.example\/)/);
  const own =
    "[document.body.nodeName, typeof document.getElementById, document.querySelectorAll('#page, #search-field').length]";
  expect(await page.evaluate(own)).toEqual(['BODY', 'function', 2]);
  // A picture of another site is a link that opens in another tab, which does not learn where it came from.
  const picture = text.getByText('Open picture from evil.example: remote');
  expect(await picture.getAttribute('href')).toBe(`${EVIL}/remote.png`);
  expect(await picture.getAttribute('rel')).toContain('noreferrer');
  await text.getByText('bold').click();
  expect(await page.evaluate('window.hurt')).toBeUndefined();
  expect(served.strangers).toEqual([]);
  expect(served.errors).toEqual([]);
}

inBrowser(`a long document is read in parts, around the lines of the hit${note}`, async () => {
  const page = await locked.tab('/?q=needle+of+silver');
  await page.getByRole('dialog').getByLabel('Token').fill(TOKEN);
  await page.keyboard.press('Enter');
  await page.locator('.hit h3 a', { hasText: 'Long' }).first().click();
  await page.locator('.marked', { hasText: 'A needle of silver.' }).waitFor();
  const firstLine = () => page.locator('.text [data-line]').first().getAttribute('data-line');
  const shown = Number(await firstLine());
  expect(shown).toBeGreaterThan(100);
  await page.getByText('Show earlier lines').click();
  await expect.poll(async () => Number(await firstLine())).toBeLessThan(shown);
  await page.getByText('Show later lines').click();
  await page.locator('.text', { hasText: 'A needle of silver.' }).waitFor();
  await page.context().close();
});

inBrowser(
  `a long query is searched, too long a one is refused in words, and Back still works${note}`,
  async () => {
    const page = await served.tab();
    const field = page.getByRole('searchbox');
    await field.fill(`bread dough ${'and more words '.repeat(900)}`);
    await settled(page);
    expect(page.url().length).toBeLessThan(200);
    await page.reload();
    expect((await field.inputValue()).length).toBeGreaterThan(13_000);
    const longest = 'bread '.repeat(2_667).slice(0, 16_000);
    const answered = page.waitForResponse(
      (response) => response.request().postDataJSON()?.query?.length === 16_000,
    );
    await field.fill(longest);
    expect((await answered).status()).toBe(200);
    await field.fill(`${longest}x`);
    await page
      .getByRole('alert')
      .filter({ hasText: /16000|16,000/ })
      .waitFor();
    await field.fill('bread');
    await settled(page);
    expect(served.errors).toEqual([]);
    await page.context().close();
  },
);

inBrowser(`text from right to left stands so${note}`, async () => {
  const page = await served.tab('/?q=لتدوير+الرمز');
  await settled(page);
  const direction = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
  expect(await page.locator('.snippet').first().textContent()).toContain('لتدوير');
  expect(await direction('.snippet')).toBe('rtl');
  expect(await direction('.bar')).toBe('ltr');
  await page.context().close();
});

// On a busy machine hits come later than half a second after the last key: then the browser counts what they move.
inBrowser(`hits of a page that is opened with a query are drawn once${note}`, { retry: 2 }, async () => {
  const page = await served.tab('/healthz');
  await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
    window.orders = new Set();
    const titles = () => [...document.querySelectorAll('.hit h3')].map((each) => each.textContent).join();
    new MutationObserver(() => titles() && window.orders.add(titles())).observe(document.body, { childList: true, subtree: true });
  })`);
  await page.goto(`${served.url}/?q=how+does+one+get+rid+of+a+token`);
  await settled(page);
  expect(await page.evaluate('window.orders.size')).toBe(1);
  await page.context().close();
});

inBrowser(`a document that is deleted while it is read says so and stays${note}`, async () => {
  const page = await served.tab('/?doc=notes/bread.md');
  await page.locator('.text', { hasText: 'Knead the dough' }).waitFor();
  rmSync(join(served.playground.folder, 'notes/bread.md'));
  await page.getByRole('alert').filter({ hasText: 'no longer in the index' }).waitFor();
  expect(await page.locator('.text').textContent()).toContain('Knead the dough');
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'bread.md' }).waitFor();
  expect(served.errors).toEqual([]);
  await page.context().close();
});

inBrowser(`without JavaScript, a plain form finds, and its links show the text${note}`, async () => {
  const page = await served.tab('/', { javaScriptEnabled: false });
  await page.getByRole('searchbox').fill('rotate <b>a</b> token');
  await page.getByRole('button', { name: 'Search' }).click();
  expect(page.url()).toMatch(/[?&]q=rotate/);
  const hit = page.locator('li', { hasText: 'in the settings' });
  expect(await hit.textContent()).toContain('notes/guide/tokens.md:7');
  expect(await hit.locator('mark').allTextContents()).toEqual(expect.arrayContaining(['rotate', 'token']));
  await hit.getByRole('link').click();
  expect(await page.locator('pre :target').textContent()).toContain('To rotate a token, press *Rotate*');
  expect(await page.getByRole('searchbox').inputValue()).toBe('rotate <b>a</b> token');
  await page.goto(`${served.url}/?plain=1&doc=nowhere.md`);
  await page.locator('p', { hasText: 'nowhere.md' }).waitFor();
  await page.context().close();
});

inBrowser(`the token is asked for once, and kept in the tab${note}`, async () => {
  const page = await locked.tab('/?q=lantern');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token').fill('wrong');
  await page.keyboard.press('Enter');
  await dialog.getByText('That token is wrong.').waitFor();
  // Esc does not answer: without a token, nothing works.
  for (const _ of [1, 2]) await page.keyboard.press('Escape');
  await dialog.getByLabel('Token').fill(TOKEN);
  await page.keyboard.press('Enter');
  await settled(page);
  expect(await dialog.count()).toBe(0);
  await page.reload();
  await settled(page);
  await page.locator('.hit h3 a').first().click();
  await page.locator('.text', { hasText: 'How to light' }).waitFor();
  expect(page.url()).not.toContain(TOKEN);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(TOKEN);
  const plain = await locked.tab('/?q=lantern', { javaScriptEnabled: false });
  expect(await plain.textContent('body')).toMatch(/needs a token/);
  expect(await plain.textContent('body')).not.toContain('How to light');
  expect(locked.errors).toEqual([]);
  await page.context().close();
  await plain.context().close();
});

inBrowser(`a wrong token that is refused late does not ask for the token again${note}`, async () => {
  const page = await locked.tab('/?q=lantern');
  const corrected = Promise.withResolvers<void>();
  await page.route('**/api/search', async (route) => {
    const { authorization } = route.request().headers();
    const { mode } = route.request().postDataJSON();
    if (authorization === 'Bearer wrong' && mode === 'hybrid') await corrected.promise;
    await route.continue();
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token').fill('wrong');
  await page.keyboard.press('Enter');
  await dialog.getByText('That token is wrong.').waitFor();
  await dialog.getByLabel('Token').fill(TOKEN);
  await page.keyboard.press('Enter');
  await expect.poll(() => dialog.count()).toBe(0);
  corrected.resolve();
  await settled(page);
  expect(await dialog.count()).toBe(0);
  await page.context().close();
});

inBrowser(`recent queries are those of all tabs, also when they are forgotten${note}`, async () => {
  const one = await served.tab('/?q=token');
  const other = await one.context().newPage();
  for (const [page, query] of [
    [one, 'token'],
    [other, 'dough'],
  ] as const) {
    await page.goto(`${served.url}/?q=${query}`);
    await settled(page);
    await page.locator('.hit h3 a').first().click();
    await page.locator('.text').waitFor();
  }
  await one.goto(served.url);
  expect(await one.locator('.recent .chip').allTextContents()).toEqual(['dough', 'token']);
  await one.getByText('Forget these').click();
  await other.goto(`${served.url}/?q=laptop`);
  await settled(other);
  await other.locator('.hit h3 a').first().click();
  await one.locator('.recent .chip', { hasText: 'laptop' }).waitFor();
  expect(await one.locator('.recent .chip').count()).toBe(1);
  await one.context().close();
});

inBrowser(`a server that goes away is waited for, and asked again${note}`, async () => {
  const page = await served.tab('/?q=token');
  await settled(page);
  await served.stop();
  await page.getByRole('searchbox').fill('snapshot of the database');
  await page.locator('.status', { hasText: 'The server does not answer.' }).waitFor();
  expect(await page.locator('.hit', { hasText: 'Tokens' }).count()).toBeGreaterThan(0);
  await served.start();
  await page.locator('.hit', { hasText: 'snapshot' }).first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.context().close();
});
