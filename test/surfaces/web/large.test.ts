/** The page with much of everything: 10,000 tags, a document of 10 MB, a window of 3,840 px, two tabs at once. */
import { afterAll, beforeAll, expect } from 'vitest';
import { inBrowser, note, type ServedPage, servePage, settled } from './serve-page.ts';

const TAGS = 10_000;
const tags = Array.from({ length: TAGS }, (_, number) => `tag-${String(number).padStart(4, '0')}`);
const tagged = (from: number, to: number) => `---\ntags: [${tags.slice(from, to).join(', ')}]\n---\n`;
/** Documents with 50 tags each, newer than the one with the rest. */
const MANY = Object.fromEntries(
  Array.from({ length: 100 }, (_, number) => [
    `notes/many/${number}.md`,
    `${tagged(number * 50, number * 50 + 50)}# Note ${number}\n\nA heron stood in pond ${number}.\n`,
  ]),
);
/** Equal passages are embedded once. */
const PARAGRAPH = `${'The same words again. '.repeat(40)}\n\n`;
const HUGE = `# Huge\n\n${PARAGRAPH.repeat(Math.ceil(10_000_000 / PARAGRAPH.length))}## End\n\nA needle of silver.\n`;

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage({
    ...MANY,
    'notes/all.md': `${tagged(5_000, TAGS)}# All tags\n\nA kingfisher has all of them.\n`,
    'notes/huge.md': HUGE,
    'notes/attic/oldest.md':
      '---\ndate: 2001-01-01\nauthor: Zoe Oldest\ncategory: relics\n---\n# Oldest\n\nA rusty key.\n',
  }))!;
}, 120_000);
afterAll(() => served?.[Symbol.asyncDispose]());

inBrowser(`10,000 tags are completed, and no request is made for a key${note}`, async () => {
  const page = await served.tab('/?q=heron');
  await settled(page);
  const add = page.getByLabel('Add a filter');
  await add.focus();
  const options = page.locator('#suggestions option');
  await expect.poll(() => options.count()).toBeGreaterThan(5);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await add.pressSequentially('tag-007');
  expect(await options.count()).toBe(10);
  await add.pressSequentially('0');
  await add.press('Enter');
  await page.getByLabel('Remove the filter tag: tag-0070').waitFor();
  await settled(page);
  expect(asked.filter((url) => !url.endsWith('/api/search'))).toEqual([]);
  await page.context().close();
});

inBrowser(`filters complete from all documents, however many requests it takes${note}`, async () => {
  const page = await served.tab('/?q=rusty');
  await settled(page);
  let asked = 0;
  await page.route('**/api/documents', (route) => {
    asked += 1;
    return route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), limit: 20 }) });
  });
  const add = page.getByLabel('Add a filter');
  await add.focus();
  const options = page.locator('#suggestions option');
  for (const [typed, completed] of [
    ['zoe', 'author:Zoe Oldest'],
    ['rel', 'category:relics'],
    ['2001', 'after:2001'],
    ['after:2001-', 'after:2001-01'],
    ['att', 'path:attic/'],
  ] as const) {
    await add.fill(typed);
    await expect.poll(() => options.first().getAttribute('value')).toBe(completed);
  }
  expect(asked).toBe(6);
  await add.press('Enter');
  await page.getByLabel('Remove the filter path: attic/').waitFor();
  await page.context().close();
});

inBrowser(`a document with 5,000 tags shows some of them${note}`, async () => {
  const page = await served.tab('/?q=kingfisher');
  const hit = page.locator('.hit', { hasText: 'All tags' });
  await hit.getByText('and 4,992 more').waitFor();
  expect(await hit.locator('.tag').count()).toBe(8);
  await hit.locator('h3 a').click();
  await page.locator('.pane').getByText('and 4,992 more').waitFor();
  await page.context().close();
});

inBrowser(`a document of 10 MB is read around the lines of the hit${note}`, async () => {
  const page = await served.tab('/?q=needle+of+silver');
  await page.locator('.hit h3 a', { hasText: 'Huge' }).first().click();
  await page.locator('.marked', { hasText: 'A needle of silver.' }).waitFor();
  expect((await page.locator('.text').textContent())!.length).toBeLessThan(300_001);
  await page.getByText('Show earlier lines').click();
  await page.getByText('Show later lines').waitFor();
  expect(served.errors).toEqual([]);
  await page.context().close();
});

inBrowser(`one round trip lies between the last key and the first hits${note}`, async () => {
  const page = await served.tab('/?q=heron');
  await settled(page);
  // Neither the model nor anything else is waited for.
  const asked: string[] = [];
  await page.route('**/api/**', async (route) => {
    const { mode } = route.request().postDataJSON() ?? {};
    asked.push(mode);
    if (mode === 'keyword') await route.continue();
  });
  await page.getByRole('searchbox').fill('kingfisher');
  await page.locator('.hit', { hasText: 'All tags' }).first().waitFor();
  expect(asked.filter((mode) => mode === 'keyword')).toHaveLength(1);
  await page.context().close();
});

inBrowser(`a window of 3,840 px is used, and text stays readable${note}`, async () => {
  const page = await served.tab('/?q=heron&doc=notes/many/7.md', { viewport: { width: 3840, height: 2160 } });
  await settled(page);
  await page.locator('.pane .text').waitFor();
  const right = (selector: string) =>
    page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().right`);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(3840);
  expect(await right('.pane')).toBeGreaterThan(1920);
  for (const part of ['.snippet', '.pane .text'])
    expect((await page.locator(part).first().boundingBox())!.width).toBeLessThan(1200);
  await page.context().close();
});

inBrowser(`two tabs search and follow the same server, each for itself${note}`, async () => {
  const one = await served.tab('/?q=heron&doc=notes/many/3.md');
  const other = await one.context().newPage();
  await other.goto(`${served.url}/?q=kingfisher&doc=notes/many/3.md`);
  for (const page of [one, other]) {
    await settled(page);
    await page.locator('.pane .text', { hasText: 'pond 3' }).waitFor();
  }
  await Promise.all([one.getByRole('searchbox').fill('needle'), other.getByRole('searchbox').fill('pond')]);
  await one.locator('.hit', { hasText: 'needle of silver' }).first().waitFor();
  await other.locator('.hit', { hasText: 'heron stood' }).first().waitFor();
  served.playground.write({ 'notes/many/3.md': '# Note 3\n\nThe heron has left pond 3.\n' });
  for (const page of [one, other]) {
    await page.bringToFront();
    await page.locator('.pane .text', { hasText: 'has left' }).waitFor();
  }
  expect(one.url()).toContain('q=needle');
  expect(other.url()).toContain('q=pond');
  expect(served.errors).toEqual([]);
  await one.context().close();
});
