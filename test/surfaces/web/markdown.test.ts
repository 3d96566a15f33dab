/** What note programs write beyond CommonMark, read in a real browser: footnotes, boxes, marks, wikilinks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

const GARDEN = `---
aliases: [green place]
---
# Garden

- [ ] water the ==tall== beans
- [x] mow the lawn
- [y] no box

Beans climb.[^pole] Peas lean.^[On a fence.]

${'Words between.\n\n'.repeat(60)}

[^pole]: On a pole of *ash*.
`;

const SIGNS = String.raw`# Signs

Division \[[[1](https://a.example/x(y))\] and [[2]](https://b.example/z). See https://c.example/d_(e), or (https://f.example).

Set $HOME or ${'`'}$PATH${'`'}, **$ONE** and **$TWO**, $5 [[garden]] b$ c.

The area $\int_0^1 x\,dx$ costs $5 or $6.

| name | count |
| --- | ---: |
| beans | 3 |

Go to [[#^steps]].

> لتدوير الرمز

${'More words.\n\n'.repeat(60)}

Sow, water, wait. ^steps
`;

const LINKS = `# Links

To [[garden]], to [[Links]] and to [[nowhere|the void]].

To [[old name]], [[garden]], [[green place]] and ![[beans.png]].

[[garden]] and [[#Links|its top]]

[[as Dendron writes|many.plants.here]]
`;

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage({
    'notes/garden.md': GARDEN,
    'notes/links.md': LINKS,
    'notes/signs.md': SIGNS,
    'notes/many.md': `# Many\n\n${'Note.^[x] '.repeat(20_000)}\n`,
    'notes/embeds.md':
      '# Embeds\n\nTo embed a heron, write `![[heron]]` or ![a heron](heron.png).\n\n```md\n![[heron#Nest]]\n```\n',
    'notes/many.plants.here.md': '# Plants\n',
    'notes/renamed.md': '---\naliases: [old name]\n---\n# Renamed\n\nIt had another name.\n',
  }))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

inBrowser(`boxes and marks are shown as what they are${note}`, async () => {
  const page = await served.tab('/?doc=notes/garden.md');
  const text = page.locator('.text');
  await text.waitFor();
  // The title is shown once.
  expect(await text.locator('h1').boundingBox()).toMatchObject({ width: 1 });
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
  await page.locator('.text sup a').first().focus();
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('[2]');
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
  // So many would take minutes.
  await page.goto(`${served.url}/?doc=notes/many.md`);
  await page.locator('.text', { hasText: 'Note.^[x]' }).waitFor();
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
    expect(await idOf('as Dendron writes')).toBe('notes/many.plants.here.md');
    expect(await page.locator('.text .picture').textContent()).toBe('Picture: beans.png');
    writeFileSync(join(served.playground.folder, 'notes/nowhere.md'), '# Nowhere\n\nIt is here now.\n');
    await expect.poll(() => missing.count()).toBe(0);
    expect(await idOf('the void')).toBe('notes/nowhere.md');
    await page.context().close();
  },
);

inBrowser(`addresses are links, formulas keep their signs, cells their alignment${note}`, async () => {
  const page = await served.tab('/?doc=notes/signs.md');
  const text = page.locator('.text');
  await text.waitFor();
  const addresses = await text
    .locator('a[target=_blank]')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  expect(addresses).toEqual([
    'https://a.example/x(y)',
    'https://b.example/z',
    'https://c.example/d_(e)',
    'https://f.example/',
  ]);
  expect(await text.locator('p', { hasText: 'area' }).textContent()).toBe(
    String.raw`The area $\int_0^1 x\,dx$ costs $5 or $6.`,
  );
  expect(
    await text
      .locator('td')
      .last()
      .evaluate((cell) => getComputedStyle(cell).textAlign),
  ).toMatch(/right$/);
  expect(await text.locator('p', { hasText: 'HOME' }).innerHTML()).toMatch(
    /^Set \$HOME or <code>\$PATH<\/code>, <strong>\$ONE<\/strong> and <strong>\$TWO<\/strong>, \$5 <a /,
  );
  const quote = text.locator('blockquote');
  expect(await quote.evaluate((each) => getComputedStyle(each).borderRightWidth)).toBe('3px');
  await text.getByText('#^steps').click();
  await page.locator('.marked', { hasText: 'Sow, water, wait.' }).waitFor();
  expect(served.blocked).toEqual([]);
  await page.context().close();
});

inBrowser(`a snippet shows how an embed is written${note}`, async () => {
  const page = await served.tab('/?q=embed+a+heron');
  const snippet = page.locator('.hit', { hasText: 'Embeds' }).first().locator('.snippet');
  await snippet.waitFor();
  expect(await snippet.textContent()).toContain('write ![[heron]] or a heron.');
  await page.context().close();
});
