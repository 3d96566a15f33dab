/** What note programs write beyond CommonMark, read in a real browser: footnotes, boxes, marks, wikilinks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

const GARDEN = `# Garden

- [ ] water the ==tall== beans
- [x] mow the lawn
- [y] no box

Beans climb.[^pole] Peas lean.^[On a fence.]

${'Words between.\n\n'.repeat(60)}

[^pole]: On a pole of *ash*.
`;

const LINKS = `# Links

To [[garden]], to [[Links]] and to [[nowhere|the void]].

To [[old name]] and ![[beans.png]].

[[garden]] and [[#Links|its top]]
`;

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage({
    'notes/garden.md': GARDEN,
    'notes/links.md': LINKS,
    'notes/renamed.md': '---\naliases: [old name]\n---\n# Renamed\n\nIt had another name.\n',
  }))!;
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
});

inBrowser(`boxes and marks are shown as what they are${note}`, async () => {
  const page = await served.tab('/?doc=notes/garden.md');
  const text = page.locator('.text');
  await text.waitFor();
  expect((await text.locator('li').allTextContents()).slice(0, 3)).toEqual([
    '☐ water the tall beans',
    '☑ mow the lawn',
    '[y] no box',
  ]);
  expect(await text.locator('mark').allTextContents()).toEqual(['tall']);
  await page.context().close();
});

inBrowser(`links go to footnotes and back from them${note}`, async () => {
  const page = await served.tab('/?doc=notes/garden.md');
  const focused = () => page.evaluate('document.activeElement.textContent.trim()');
  const top = () => page.evaluate('document.activeElement.getBoundingClientRect().top');
  await page.locator('.text sup a').first().click();
  await expect.poll(focused).toBe('On a pole of ash. ↩︎');
  expect(await page.locator('.text li em').allTextContents()).toEqual(['ash']);
  expect(await top()).toBeLessThan(800);
  await page.goBack();
  await page.locator('.text sup a').last().click();
  await expect.poll(focused).toBe('On a fence. ↩︎');
  await page.locator('.text').getByText('↩︎').last().click();
  await expect.poll(focused).toBe('[2]');
  expect(await page.locator('.pane .notice').count()).toBe(0);
  await page.context().close();
});

inBrowser(
  `a wikilink that leads nowhere is marked, until there is a document of its name${note}`,
  async () => {
    const page = await served.tab('/?doc=notes/links.md');
    const missing = page.locator('.text .missing');
    const idOf = (name: string) =>
      page
        .locator('.text a', { hasText: name })
        .first()
        .evaluate((link) => JSON.parse((link as HTMLElement).dataset.goesTo!).id);
    await expect.poll(() => missing.allTextContents()).toEqual(['the void']);
    expect(await missing.getAttribute('title')).toBe('No document has this name.');
    expect(await Promise.all(['garden', 'Links'].map(idOf))).toEqual(['notes/garden.md', 'notes/links.md']);
    expect(await page.locator('.text .picture').textContent()).toBe('Picture: beans.png');
    writeFileSync(join(served.playground.folder, 'notes/nowhere.md'), '# Nowhere\n\nIt is here now.\n');
    await expect.poll(() => missing.count()).toBe(0);
    expect(await idOf('the void')).toBe('notes/nowhere.md');
    await page.context().close();
  },
);
