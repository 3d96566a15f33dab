/** Several collections, several hits of one document, and several directions of writing. */
import { afterAll, beforeAll, expect } from 'vitest';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

/** So long that each colour is a passage. */
const lines = (colour: string) =>
  Array.from(
    { length: 60 },
    (_, at) => `The ${colour} umbrella number ${at} hangs in the ${colour} hall.`,
  ).join('\n');

let served: ServedPage;
beforeAll(async () => {
  const others = {
    'other/backup.md': '# Backups\n\nA snapshot of the camera is kept.\n',
    'other/evil.md':
      '---\ntitle: "Evil \\u202Egnp.exe"\n---\n# Evil \u202Efdp\n\nZebras reorder what stands beside them.\n',
    'other/umbrellas.md': `# Umbrellas\n\n## Red\n\n${lines('red')}\n\n## Blue\n\n${lines('blue')}\n`,
    'other/list.md': '# مرحبا بالعالم\n\n- أول\n- ثان\n\n| أ | ب |\n| --- | --- |\n| ج | د |\n',
  };
  served = (await servePage({ ...NOTES, ...others }, ['other']))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

inBrowser(`documents of several collections are told apart${note}`, async () => {
  const page = await served.tab('/?q=snapshot&mode=keyword');
  const paths = (at: string) => page.locator(`${at} .path`).allTextContents();
  const expected = [
    expect.stringMatching(/^notes\/backup\.md:\d/),
    expect.stringMatching(/^other\/backup\.md:\d/),
  ];
  await expect.poll(async () => (await paths('.hit')).toSorted()).toEqual(expected);
  await page.locator('.hit h3 a').first().click();
  await expect.poll(() => paths('.pane .facts')).toEqual([expect.stringMatching(/^\w+\/backup\.md$/)]);
  await page.goto(served.url);
  await expect
    .poll(() => paths('.documents'))
    .toEqual(expect.arrayContaining(['notes/backup.md', 'other/backup.md']));
  await page.context().close();
});

inBrowser(`marks in a title do not reorder what stands beside it${note}`, async () => {
  const page = await served.tab('/?q=zebras');
  await page.getByRole('heading', { name: 'Evil \\u202egnp.exe' }).first().waitFor();
  await page.locator('.hit h3 a').first().click();
  await page.locator('.pane > h2', { hasText: 'Evil \\u202egnp.exe' }).waitFor();
  await expect.poll(() => page.title()).toContain('\\u202e');
  await page.context().close();
});

inBrowser(`lists and tables of a document from right to left begin at the right${note}`, async () => {
  const page = await served.tab('/?doc=other%2Flist.md', { viewport: { width: 360, height: 640 } });
  await page.locator('.text ul[dir=rtl]').waitFor();
  await page.locator('.text table[dir=rtl]').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  const [close, title] = await Promise.all(
    ['.close', '.pane > h2'].map((each) =>
      page.locator(each).evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().toJSON() as DOMRect;
      }),
    ),
  );
  expect(title!.right).toBeLessThanOrEqual(close!.left);
  await page.context().close();
});

inBrowser(`of several hits of a document, one is open, and Esc goes back to it${note}`, async () => {
  const page = await served.tab('/?q=umbrella&mode=keyword');
  const hits = page.locator('.hit h3 a[data-document="other/umbrellas.md"]');
  await expect.poll(() => hits.count()).toBeGreaterThan(1);
  const id = await hits.last().getAttribute('data-chunk');
  await hits.last().press('Enter');
  await page.locator('.pane .marked').first().waitFor();
  expect(await page.locator('.hit [aria-current]').count()).toBe(1);
  // What goes on reading can always be closed.
  expect((await page.locator('.close').boundingBox())!.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement.dataset.chunk')).toBe(id);
  await page.context().close();
});

inBrowser(
  `Enter opens the first hit when it comes, and a slash replaces the query of an address${note}`,
  async () => {
    const page = await served.tab('/?q=snapshot');
    await page.locator('.hit').first().waitFor();
    await page.keyboard.press('/');
    expect(await page.getByRole('searchbox').inputValue()).toBe('snapshot');
    await page.keyboard.type('knead the dough');
    await page.keyboard.press('Enter');
    await page.locator('.pane > h2', { hasText: 'Bread' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('knead the dough');
    await page.context().close();
  },
);
