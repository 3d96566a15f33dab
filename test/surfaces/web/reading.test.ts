/** Reading in a real browser: long documents, narrow windows, changes, the documents around. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { inBrowser, note, type ServedPage, servePage, settled } from './serve-page.ts';

/** Longer than what the page reads at once. Equal passages are embedded once. */
const FILLER = `## Part\n\n${'The same words again. '.repeat(40)}\n\n`.repeat(400);
const LONG = `# Long\n\nA thimble of copper. Go to [the end](#end).\n\n${FILLER}## End\n\nA needle of silver. ^needle\n`;
const WIDE_LINE = `# Wide\n\nA kettle of pewter.\n\n${'So it goes on. '.repeat(21_000)}\n`;
const WIDE = `${WIDE_LINE}\n## Ladle\n\nA ladle of tin.\n${'\nOther words follow.\n'.repeat(20)}`;
const SHORT = '# Short\n\nA bell of bronze rings.\n\n#### Four\n\n##### Five\n\n###### Six\n';
/** Code longer than what the page reads at once, in which a hit stands. */
const CODE = `# Code\n\nBefore.\n\n\`\`\`ts\n${'const value = 1;\n'.repeat(30_000)}// a spindle of brass\n\`\`\`\n\n**After** the code.\n`;
const MANY = Array.from({ length: 105 }, (_, number) => `leaf-${number}`);
const HUB = `# Hub\n\n${MANY.map((name) => `- [[${name}]]\n`).join('')}`;

/** Lines of very different lengths. Equal passages are embedded once. */
const KINDS = [1, 3, 40].map((times) => `${'The same words. '.repeat(times)}\n\n`).join('');
const LINES = `# Lines\n\n${KINDS.repeat(1_200)}A bobbin of ivory.\n`;
/** Two notes of one name, and a link to each. */
const TWINS = {
  'notes/a/twin.md': '# Twin of A\n\nThe first twin.\n',
  'notes/b/twin.md': '# Twin of B\n\nThe second twin.\n',
  'notes/a/from.md': '# From A\n\nGo to [[twin]] and [out](../../../README.md).\n',
  'notes/b/from.md': '# From B\n\nGo to [[twin]].\n',
  'notes/b/README.md': '# Read me\n\nNothing.\n',
};

const TWICE = {
  'notes/twice.md': `# Twice\n\n[second](#setup-1), [none](#nowhere).\n\n## Setup\n\nOne.\n${'\nMore.\n'.repeat(40)}\n## Setup\n\nTwo.\n`,
  'notes/to-twice.md': '# To\n\nGo to [[twice#Setup]] and to [[twice#^block]].\n',
};

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage({
    ...{ 'notes/long.md': LONG, 'notes/wide.md': WIDE, 'notes/short.md': SHORT, 'notes/hub.md': HUB },
    ...{ 'notes/code.md': CODE, 'notes/lines.md': LINES, ...TWINS, ...TWICE },
    ...Object.fromEntries(MANY.map((name) => [`notes/many/${name}.md`, 'Equal words.\n'])),
  }))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

const focused = (page: Page) =>
  page.evaluate('document.activeElement.textContent || document.activeElement.id');

inBrowser(`another hit and a heading are found in other parts of a long document${note}`, async () => {
  const page = await served.tab('/?q=thimble+of+copper&mode=keyword');
  await settled(page);
  await page.locator('.hit h3 a').first().click();
  await page.locator('.marked', { hasText: 'thimble of copper' }).waitFor();
  await page.getByRole('searchbox').fill('needle of silver');
  await page.locator('.hit', { hasText: 'needle of silver' }).locator('h3 a').click();
  const needle = page.locator('.marked', { hasText: 'needle of silver' });
  await needle.waitFor();
  const { y } = (await needle.boundingBox())!;
  expect(y > 0 && y < 800).toBe(true);
  await page.goBack();
  await page.goBack();
  await page.locator('.text').getByText('the end').click();
  await expect.poll(() => focused(page)).toBe('End');
  await page.goto(`${served.url}/?doc=notes/long.md&heading=End`);
  await expect.poll(() => focused(page)).toBe('End');
  await page.goto(`${served.url}/?doc=notes/long.md&heading=%5Eneedle`);
  await needle.waitFor();
  await page.context().close();
});

inBrowser(`a link reaches the second of equal headings, and a missing heading is told${note}`, async () => {
  const page = await served.tab('/?doc=notes/to-twice.md');
  const lineOfFocus = () => page.evaluate('document.activeElement.dataset.line');
  const missing = page.locator('.pane .notice', { hasText: 'This document has no heading' });
  await page.locator('.text a', { hasText: '#Setup' }).click();
  await expect.poll(lineOfFocus).toBe('5');
  await page.locator('.text a', { hasText: 'none' }).click();
  await expect.poll(() => missing.textContent()).toBe('This document has no heading “nowhere”.');
  await page.locator('.text a', { hasText: 'second' }).click();
  await expect.poll(lineOfFocus).toBe('89');
  expect(await missing.count()).toBe(0);
  await page.goBack();
  await missing.waitFor();
  await page.goto(`${served.url}/?doc=notes/to-twice.md`);
  await page.locator('.text a', { hasText: 'block' }).click();
  await page.locator('.pane > h2', { hasText: 'Twice' }).waitFor();
  expect(await missing.count()).toBe(0);

  // Only a part of this document is shown.
  await page.goto(`${served.url}/?doc=notes/long.md&heading=part-398`);
  await expect.poll(lineOfFocus).toBe(String(5 + 4 * 398));
  await page.goto(`${served.url}/?doc=notes/long.md&heading=part-400`);
  await missing.waitFor();
  await page.context().close();
});

inBrowser(`lines before the shown part are not taken for those at its end${note}`, async () => {
  const page = await served.tab('/?q=ladle+of+tin&mode=keyword');
  await page.locator('.hit', { hasText: 'ladle of tin' }).locator('h3 a').click();
  await page.locator('.marked', { hasText: 'ladle of tin' }).waitFor();
  await page.getByRole('searchbox').fill('kettle of pewter');
  const kettle = page.locator('.hit', { hasText: 'kettle of pewter' }).locator('h3 a');
  await kettle.waitFor();
  await settled(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/search')) asked.push(request.postDataJSON().query);
  });
  // The new part does not come, and nothing is similar.
  await page.route('**/api/documents/*', () => undefined);
  const related = { document_id: 'notes/wide.md', linked: [], linked_count: 0, similar: [] };
  const told = page.waitForResponse('**/api/related');
  await page.route('**/api/related', (route) => route.fulfill({ json: related }));
  await kettle.click();
  await told;
  await page.waitForTimeout(300);
  expect(asked).toEqual([]);
  await page.context().close();
});

inBrowser(`a line that is cut says so${note}`, async () => {
  const page = await served.tab('/?doc=notes/wide.md&lines=5-5');
  await page.locator('.notice', { hasText: 'Line 5 is too long for this page.' }).waitFor();
  await page.context().close();
});

inBrowser(`on a narrow window, typing shows the hits, and closing goes back to the hit${note}`, async () => {
  const page = await served.tab('/?q=thimble+of+copper&mode=keyword', {
    viewport: { width: 360, height: 700 },
  });
  await settled(page);
  const hit = page.locator('.hit h3 a').first();
  await hit.click();
  await expect.poll(() => focused(page)).toBe('Long');
  await page.keyboard.press('Escape');
  await hit.waitFor();
  const isHit = () => page.evaluate("document.activeElement.matches('.hit h3 a')");
  expect(await isHit()).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByLabel('Close the document').click();
  await hit.waitFor();
  expect(await isHit()).toBe(true);
  await hit.click();
  await page.locator('.marked').first().waitFor();
  await page.getByRole('searchbox').fill('needle of silver');
  await page.locator('.hit', { hasText: 'needle of silver' }).waitFor();
  expect(await focused(page)).toBe('search-field');
  await page.goBack();
  await page.locator('.marked', { hasText: 'thimble of copper' }).waitFor();
  await page.context().close();
});

inBrowser(`an open Why follows the query${note}`, async () => {
  const page = await served.tab('/?q=bell+of+bronze&mode=keyword');
  await settled(page);
  const why = page.locator('.hit', { hasText: 'bell of bronze' }).locator('.why');
  await why.getByText('Why this hit').click();
  await why.locator('.part', { hasText: 'bell' }).first().waitFor({ state: 'attached' });
  await page.getByRole('searchbox').fill('bronze rings');
  await why.locator('.part', { hasText: 'ring' }).first().waitFor({ state: 'attached' });
  expect(await why.locator('.part', { hasText: 'bell' }).count()).toBe(0);
  await page.context().close();
});

inBrowser(
  `a changed text keeps its marks, and the open hit is shown again without a new entry${note}`,
  async () => {
    const page = await served.tab('/?q=bell+of+bronze&mode=keyword');
    await settled(page);
    const hit = page.locator('.hit h3 a').first();
    await hit.click();
    const marked = page.locator('.marked', { hasText: 'bell of bronze' });
    await marked.waitFor();
    const length = await page.evaluate('history.length');
    writeFileSync(
      join(served.playground.folder, 'notes/short.md'),
      `${SHORT}\n${'More of it.\n\n'.repeat(80)}`,
    );
    await page.locator('.text', { hasText: 'More of it.' }).waitFor();
    expect(await marked.count()).toBe(1);
    await page.locator('.text p').last().scrollIntoViewIfNeeded();
    await hit.click();
    await expect.poll(async () => (await marked.boundingBox())!.y).toBeGreaterThan(0);
    expect(await page.evaluate('history.length')).toBe(length);
    await page.context().close();
  },
);

inBrowser(`deep headings keep their order, and links beyond the list are counted${note}`, async () => {
  const page = await served.tab('/?doc=notes/short.md');
  await page.locator('.text h6').waitFor();
  const levels = "[...document.querySelectorAll('.text :is(h4, h5, h6)')].map((each) => each.ariaLevel)";
  expect(await page.evaluate(levels)).toEqual(['6', '6', '6']);
  await page.goto(`${served.url}/?doc=notes/hub.md`);
  await page.locator('.related', { hasText: '100 of 105 linked documents are listed.' }).waitFor();
  await page.context().close();
});

inBrowser(`a part that begins inside code shows code, and text after it${note}`, async () => {
  const page = await served.tab('/?q=spindle+of+brass&mode=keyword');
  await page.locator('.hit h3 a').first().click();
  await page.locator('.pane pre', { hasText: 'spindle of brass' }).waitFor();
  expect(await page.locator('.text strong').textContent()).toBe('After');
  expect(await page.locator('.text p', { hasText: 'const value' }).count()).toBe(0);
  await page.context().close();
});

inBrowser(`earlier lines end where the shown ones began${note}`, async () => {
  const page = await served.tab('/?q=bobbin+of+ivory&mode=keyword');
  await page.locator('.hit h3 a').first().click();
  await page.locator('.marked', { hasText: 'bobbin of ivory' }).waitFor();
  const linesOf = (name: string) =>
    page
      .locator('.text p')
      .evaluateAll((all, each) => all.map((one) => Number(one.getAttribute(each))), name);
  for (let turn = 0; turn < 3; turn++) {
    const first = Math.min(...(await linesOf('data-line')));
    await page.getByText('Show earlier lines').click();
    // A blank line stands between two paragraphs.
    await expect.poll(async () => Math.max(...(await linesOf('data-last-line')))).toBe(first - 2);
  }
  await page.context().close();
});

inBrowser(`a wikilink leads where the graph of links says${note}`, async () => {
  for (const [from, title] of [
    ['a', 'Twin of A'],
    ['b', 'Twin of B'],
  ]) {
    const page = await served.tab(`/?doc=notes/${from}/from.md`);
    await page.getByRole('region', { name: 'Links to' }).waitFor();
    // Outside of the folder there is nothing to open.
    expect(await page.locator('.text a').allTextContents()).toEqual(
      from === 'a' ? ['twin', 'out'] : ['twin'],
    );
    expect(await page.locator('.text a[href]').count()).toBe(1);
    await page.locator('.text').getByText('twin').click();
    await page.locator('.pane > h2', { hasText: title! }).waitFor();
    await page.context().close();
  }
});

inBrowser(`new front matter of an open document is shown, and its text stays in place${note}`, async () => {
  const file = join(served.playground.folder, 'notes/headed.md');
  const text = `# Lamp\n\n${'A lamp of brass.\n\n'.repeat(80)}`;
  writeFileSync(file, `---\ntitle: Old lamp\ntags: [old]\n---\n${text}`);
  const page = await served.tab('/?doc=notes/headed.md');
  await expect
    .poll(async () => {
      await page.reload();
      return page.locator('.pane > h2', { hasText: 'Old lamp' }).count();
    })
    .toBe(1);
  const last = "[...document.querySelectorAll('.text p')].at(-1)";
  await page.evaluate(`${last}.isSame = true`);
  writeFileSync(file, `---\ntitle: New lamp\ntags: [new]\n---\n${text}`);
  await page.locator('.pane > h2', { hasText: 'New lamp' }).waitFor();
  expect(await page.locator('.pane .tag').allTextContents()).toEqual(['#new']);
  expect(await page.evaluate(`${last}.isSame`)).toBe(true);
  await page.context().close();
});
