/** The page at `/` in a real browser: searching, reading, keys, addresses. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { NOTES } from './notes.ts';
import {
  expectNothingFailed,
  inBrowser,
  note,
  type ServedPage,
  servePage,
  settled,
  titles,
} from './serve-page.ts';

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage(NOTES))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

const firstTitle = (page: Page) => page.locator('.hit h3 a').first();

inBrowser(`typing finds by words at once, then by meaning${note}`, async () => {
  const page = await served.tab();
  const modes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/search')) modes.push(request.postDataJSON().mode);
  });
  await page.keyboard.type('lost my notebook computer', { delay: 5 });
  await settled(page);
  expect(modes.at(-1)).toBe('hybrid');
  const count = (wanted: string) => modes.filter((mode) => mode === wanted).length;
  expect(count('hybrid')).toBeLessThan(count('keyword'));
  expect(await page.locator('.hit', { hasText: 'revokes its token' }).count()).toBe(1);
  expect(await page.locator('.status').textContent()).toMatch(/^\d+ hits?/);
  await page.context().close();
});

inBrowser(`a hit shows where it is, what it says and how sure it is${note}`, async () => {
  const page = await served.tab('/?q=rotate+a+token+settings');
  await settled(page);
  const hit = page.locator('.hit', { hasText: 'in the settings' });
  expect(await hit.locator('mark').first().textContent()).toMatch(/rotate/i);
  expect(await hit.locator('.confidence').textContent()).toMatch(
    /^(high|fair|low)(not )?close, (likely|may|perhaps) /,
  );
  expect(await hit.locator('.snippet').textContent()).not.toMatch(/\*|\[\[/);
  const editor = hit.getByText('Open in editor');
  expect(await editor.getAttribute('href')).toMatch(/^vscode:\/\/file\/.*tokens\.md:\d+$/);
  await page.getByLabel('Open files in').selectOption('Obsidian');
  expect(await editor.getAttribute('href')).toMatch(/^obsidian:\/\/open\?path=%2F.*tokens\.md$/);
  await page.reload();
  await settled(page);
  expect(await editor.getAttribute('href')).toMatch(/^obsidian:/);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate('navigator.clipboard.readText()');
  await hit.getByText('Copy citation').click();
  await page.locator('.message', { hasText: 'Copied.' }).waitFor();
  expect(await copied()).toMatch(/^[\w/]*tokens\.md:\d+$/);
  await expect.poll(() => page.locator('.message').textContent()).toBe('');
  await hit.getByText('Copy for a prompt').click();
  await expect.poll(copied).toMatch(/^\[1\] [\w/]*tokens\.md:\d+-\d+ {2}Tokens[\s\S]*To rotate a token/);

  await hit.getByText('Why this hit').click();
  await hit.getByText('Where its place comes from').waitFor();
  const shares = await hit.locator('.score-bars .legend li').allTextContents();
  expect(shares.join()).toMatch(/Meaning \d+ %.*Words \d+ %/);
  const sum = shares.reduce((all, each) => all + Number(/(\d+) %/.exec(each)![1]), 0);
  expect(Math.abs(sum - 100)).toBeLessThan(4);
  expect(await hit.locator('.score-bars').textContent()).toMatch(/close .*: \d+ of 100.*lead .*: \d+ of 100/);
  const colours = await page.evaluate(
    "[...document.querySelectorAll('.stack span')].map((bar) => getComputedStyle(bar).backgroundColor)",
  );
  expect(colours).not.toContain('rgba(0, 0, 0, 0)');
  expect(await hit.locator('.stages li').allTextContents()).toEqual([
    expect.stringMatching(/^What matched \d/),
    expect.stringMatching(/^Raised for new documents \d/),
  ]);
  await hit.getByText('All numbers').click();
  // A confidence that no hit above has lowered is told once.
  const sure = hit.locator('.why details > ul > li', { hasText: 'How sure it is' });
  expect(await sure.locator('.label', { hasText: 'How sure it is' }).count()).toBe(1);
  await hit.getByText('Close to the query in meaning').first().waitFor();
  expect(await hit.locator('.why .part').count()).toBeGreaterThan(8);

  await page.getByRole('searchbox').fill('knead the dough');
  await page.locator('.merged summary', { hasText: 'Also in 1 other place' }).click();
  expect(await page.locator('.merged li').textContent()).toMatch(/bread\.md:1$/);
  await page.context().close();
});

inBrowser(`any open document opens in an editor, of one's own too${note}`, async () => {
  const page = await served.tab('/?doc=notes/bread.md');
  const link = page.locator('.pane').getByText('Open in editor');
  expect(await link.getAttribute('href')).toMatch(/^vscode:\/\/file\/.*\/notes\/bread\.md:1$/);
  await page.getByLabel('Open files in').selectOption('Another editor');
  expect(await link.count()).toBe(0);
  const address = page.getByLabel('Its address');
  await address.fill('javascript:alert("{file}")');
  await page.getByText('Web addresses and scripts are refused.').waitFor();
  await page.setViewportSize({ width: 360, height: 700 });
  await page.getByLabel('Close the document').click();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.goBack();
  expect(await link.count()).toBe(0);
  await address.fill('myeditor://open?file={file}&line={line}');
  const wanted = /^myeditor:\/\/open\?file=%2F.*%2Fnotes%2Fbread\.md&line=1$/;
  expect(await link.getAttribute('href')).toMatch(wanted);
  await page.reload();
  expect(await link.getAttribute('href')).toMatch(wanted);
  await page.context().close();
});

inBrowser(`what surely does not answer stands apart, below the notice${note}`, async () => {
  const page = await served.tab('/?q=dinosaur+fossils+of+patagonia');
  await page.getByRole('heading', { name: 'Not sure that these answer it' }).waitFor();
  expect(await page.locator('.hits.unsure .hit').count()).toBeGreaterThan(0);
  expect(await page.locator('.notice').textContent()).not.toBe('');
  await page.context().close();
});

inBrowser(`the keyboard does it all${note}`, async () => {
  const page = await served.tab();
  const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.id');
  await page.keyboard.type('rotate a token');
  await settled(page);
  const [first, second] = await titles(page);
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe(first);
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe(second);
  await page.keyboard.press('Enter');
  await page.locator('.pane > h2').waitFor();
  expect(await focused()).toBe(second);
  expect(await page.evaluate('document.activeElement.localName')).toBe('h2');
  await page.keyboard.press('Escape');
  await page.locator('.pane').waitFor({ state: 'detached' });
  expect(await focused()).toBe(second);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('search-field');
  await page.keyboard.press('Enter');
  await page.locator('.pane > h2', { hasText: first! }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Help' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('/');
  expect(await focused()).toBe('search-field');
  await page.context().close();
});

inBrowser(`Esc closes an open document before it clears the query${note}`, async () => {
  const page = await served.tab('/?q=token&doc=notes/bread.md');
  await page.locator('.text').waitFor();
  const field = page.getByRole('searchbox');
  await field.focus();
  await page.keyboard.press('Escape');
  await page.locator('.pane').waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('token');
  expect(await page.evaluate('document.activeElement.id')).toBe('search-field');
  await page.keyboard.press('Escape');
  await expect.poll(() => field.inputValue()).toBe('');
  await page.context().close();
});

inBrowser(`the title of the tab names the query, the view or the document${note}`, async () => {
  const page = await served.tab();
  const title = (wanted: string) => expect.poll(() => page.title()).toBe(wanted);
  await title('docfuse');
  await page.keyboard.type('rotate a token');
  await title('rotate a token · docfuse');
  await settled(page);
  await firstTitle(page).click();
  await title('Tokens · docfuse');
  await page.goBack();
  await title('rotate a token · docfuse');
  await page.getByRole('navigation', { name: 'Views' }).getByText('Status').click();
  await title('rotate a token · Status · docfuse');
  await page.goto(`${served.url}/?view=map`);
  await title('Map · docfuse');
  await page.context().close();
});

inBrowser(`a hit that moves keeps the focus${note}`, async () => {
  const page = await served.tab('/?q=token&mode=keyword');
  await settled(page);
  const before = await titles(page);
  const last = page.locator('.hit h3 a').last();
  const name = await last.textContent();
  await last.focus();
  // Changed by a script, because a click would move the focus.
  await page.evaluate(`const choice = document.querySelector('.bar .choice select');
    choice.value = 'hybrid';
    choice.dispatchEvent(new Event('change', { bubbles: true }));`);
  await expect.poll(() => page.url()).not.toContain('mode=');
  await settled(page);
  expect((await titles(page)).toSorted()).toEqual(expect.arrayContaining([before[0]]));
  expect(await page.evaluate('document.activeElement.textContent')).toBe(name);
  await page.context().close();
});

inBrowser(`the address holds the state, and Back works${note}`, async () => {
  const page = await served.tab();
  await page.keyboard.type('snapshot of the database');
  await settled(page);
  await firstTitle(page).click();
  await page.locator('.pane > h2', { hasText: 'Backups' }).waitFor();
  const address = page.url();
  expect(address).toMatch(/\?q=snapshot\+of\+the\+database&doc=notes%2Fbackup\.md&lines=\d+-\d+$/);
  await page.goBack();
  await page.locator('.pane').waitFor({ state: 'detached' });
  expect(await page.getByRole('searchbox').inputValue()).toBe('snapshot of the database');
  await page.goBack();
  await page.getByText('6 documents').waitFor();
  expect(await page.locator('.recent').textContent()).toBe('snapshot of the database');
  await page.goto(address);
  await page.locator('.pane .marked').first().waitFor();
  await page.context().close();
});

inBrowser(`filters complete from the collection, narrow, and can be removed${note}`, async () => {
  const page = await served.tab('/?q=token');
  await settled(page);
  const add = page.getByLabel('Add a filter');
  await add.focus();
  await expect.poll(() => page.locator('#suggestions option').count()).toBeGreaterThan(5);
  await add.fill('guide');
  const offered = () =>
    page.evaluate("[...document.querySelectorAll('#suggestions option')].map(({ value }) => value)");
  await expect.poll(offered).toEqual(['path:guide/']);
  await add.fill('ann');
  await expect.poll(offered).toEqual(['author:Ann Example']);
  await add.press('Enter');
  await page.getByLabel('Remove the filter author: Ann Example').waitFor();
  // An empty field adds nothing, and a filter is there once.
  await add.press('Enter');
  await add.fill('author:Ann Example');
  await add.press('Enter');
  expect(await page.locator('.filters .chip').count()).toBe(1);
  await expect.poll(() => titles(page)).not.toContain('Code');
  expect(page.url()).toContain('author=Ann+Example');
  await page.locator('.tag', { hasText: '#auth' }).first().click();
  await expect.poll(() => page.url()).toContain('tag=auth');
  await page.getByLabel('Remove the filter author: Ann Example').click();
  await expect.poll(() => page.url()).not.toContain('author');
  await page.context().close();
});

inBrowser(`a document is read with its lines marked, its outline and its links${note}`, async () => {
  const page = await served.tab('/?q=lost+a+laptop');
  await settled(page);
  await firstTitle(page).click();
  const marked = page.locator('.pane .marked');
  await marked.first().waitFor();
  expect((await marked.allTextContents()).join()).toContain('revokes its token');
  const { y, height } = (await marked.last().boundingBox())!;
  expect(y > 0 && y + height < 800).toBe(true);
  await page.getByText('Outline').click();
  await page.locator('.outline').getByText('Expiry').click();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Expiry');
  const outside = page.locator('.text').getByText('the site');
  expect(await outside.getAttribute('rel')).toContain('noreferrer');
  await page.locator('.text').getByText('Backups').click();
  await page.locator('.pane > h2', { hasText: 'Backups' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Nightly');
  await page
    .locator('.related')
    .getByRole('region', { name: 'Linked from' })
    .getByText('Preview')
    .first()
    .click();
  await page.locator('.preview p', { hasText: 'To rotate a token' }).first().waitFor();
  await page.goBack();
  await page.locator('.text').getByText('backup', { exact: true }).click();
  await page.locator('.pane > h2', { hasText: 'Backups' }).waitFor();
  await page.context().close();
});

inBrowser(`views are places of the page, and keep the query${note}`, async () => {
  const page = await served.tab('/?q=token');
  await settled(page);
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByText('Status').click();
  await page.getByText('Size on disk').waitFor();
  expect(page.url()).toMatch(/\?view=status&q=token$/);
  expect(await views.locator('[aria-current]').allTextContents()).toEqual(['Status']);
  await page.getByRole('searchbox').pressSequentially('s');
  await settled(page);
  expect(await firstTitle(page).count()).toBe(1);
  await page.goBack();
  await page.getByText('Size on disk').waitFor();
  await page.context().close();
});

inBrowser(`nothing failed, nothing was blocked, and nothing else was asked${note}`, () => {
  expectNothingFailed(served);
});
