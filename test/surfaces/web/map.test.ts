/** The map in a real browser: what is drawn, what is looked at, keys, and maps of nothing. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { countPixels } from './count-pixels.ts';
import { hashPicture } from './hash-picture.ts';
import { expectNothingFailed, inBrowser, note, type ServedPage, servePage } from './serve-page.ts';

/** Three rings of notes. Each note is linked with the next two of its ring, and the rings by one link. */
const NAMES = ['harbour', 'lantern', 'orchard'];
const RINGS = Object.fromEntries(
  NAMES.flatMap((ring, number) =>
    Array.from({ length: 8 - number }, (_, at, size = 8 - number) => {
      const to = [`${ring} ${(at + 1) % size}`, `${ring} ${(at + 2) % size}`];
      if (at === 1) to.push(`${NAMES[(number + 1) % 3]} 1`);
      const links = to.map((name) => `[[${name}]]`).join(' ');
      const special = ring === 'orchard' && at === 3 ? 'A quince is pruned in February.' : '';
      return [`notes/${ring} ${at}.md`, `# The ${ring} ${at}\n\n${special}\n\nSee ${links}.\n`];
    }),
  ),
);

let served: ServedPage;
let unlinked: ServedPage;
beforeAll(async () => {
  if (note !== '') return;
  [served, unlinked] = (await Promise.all([
    servePage({ ...RINGS, 'notes/alone.md': '# Alone\n\nA note without links, of quince jam.\n' }),
    servePage({ 'notes/one.md': '# One\n\nNo links.\n' }),
  ])) as [ServedPage, ServedPage];
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await unlinked?.[Symbol.asyncDispose]();
});

const CALM = { reducedMotion: 'reduce' } as const;
const stageOf = (page: Page) => page.getByRole('application', { name: 'Map of linked documents' });
const drawn = (page: Page) => page.locator('.map-stage canvas').first().waitFor();
const summary = (page: Page) => page.locator('.map-view .status');
/** Waits until sigma has drawn what was asked for. */
const painted = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 150)))');

const swatches = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    "[...document.querySelectorAll('.map-legend .swatch')].map((each) => getComputedStyle(each).backgroundColor)",
  );

for (const colorScheme of ['light', 'dark'] as const) {
  inBrowser(`documents are drawn in the colours of their communities, ${colorScheme}${note}`, async () => {
    const page = await served.tab('/?view=map', { ...CALM, colorScheme });
    await drawn(page);
    await expect
      .poll(() => summary(page).textContent())
      .toBe('21 linked documents, 45 linked pairs, 3 communities. 1 document without links is not shown.');
    const legend = page.locator('.map-legend li');
    expect(await legend.allTextContents()).toEqual([
      expect.stringMatching(/^The harbour 1 8/),
      expect.stringMatching(/^The lantern 1 7/),
      expect.stringMatching(/^The orchard 1 6/),
    ]);
    const colours = await swatches(page);
    expect(new Set(colours).size).toBe(3);
    await painted(page);
    for (const count of await countPixels(stageOf(page), colours)) expect(count).toBeGreaterThan(50);
    await page.context().close();
  });
}

inBrowser(`rough places are asked for first, and drawn until the others are there${note}`, async () => {
  const page = await served.tab('/', CALM);
  const waits: boolean[] = [];
  const last = Promise.withResolvers<void>();
  await page.route('**/api/map', async (route) => {
    const { wait } = route.request().postDataJSON();
    waits.push(wait);
    const answer = await (await route.fetch()).json();
    if (waits.length === 2)
      return route.fulfill({ status: 504, json: { code: 'took_too_long', detail: '', remedy: '' } });
    if (wait) await last.promise;
    await route.fulfill({ json: { ...answer, is_final: wait } });
  });
  await page.getByRole('link', { name: 'Map' }).click();
  await drawn(page);
  await expect.poll(() => summary(page).textContent()).toContain('The places are rough');
  last.resolve();
  await expect.poll(() => summary(page).textContent()).not.toContain('rough');
  expect(waits).toEqual([false, true, true]);
  expect(await page.locator('.map-stage canvas').count()).toBeGreaterThan(0);
  await page.context().close();
});

inBrowser(
  `a document is found by its name, opened beside the map, and opened by a click${note}`,
  async () => {
    const page = await served.tab('/?view=map', CALM);
    await drawn(page);
    const finder = page.getByLabel('Find a document on the map');
    await finder.fill('nothing like this');
    await finder.press('Enter');
    await page.locator('.message', { hasText: 'No document on the map' }).waitFor();
    await finder.fill('orchard 3');
    await finder.press('Enter');
    await page.locator('.pane > h2', { hasText: 'The orchard 3' }).waitFor();
    expect(page.url()).toMatch(/\?view=map&doc=notes%2Forchard\+3\.md$/);
    await painted(page);
    // Its ring and title; it keeps the colour of its community.
    const [ink, blue] = await countPixels(stageOf(page), await inkAndAccent(page));
    expect([ink! > 20, blue]).toEqual([true, 0]);
    await page.keyboard.press('Escape');
    await page.locator('.pane').waitFor({ state: 'detached' });
    await painted(page);
    // The view stayed on the document, which is in the middle.
    await stageOf(page).click();
    await page.locator('.pane > h2', { hasText: 'The orchard 3' }).waitFor();
    await page.goBack();
    await page.locator('.pane').waitFor({ state: 'detached' });
    // After it was dragged, what is under the pointer can be chosen again.
    const box = (await stageOf(page).boundingBox())!;
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
    await page.mouse.move(...middle);
    await page.mouse.down();
    await page.mouse.move(middle[0] + 90, middle[1] + 60, { steps: 5 });
    await page.mouse.up();
    await painted(page);
    await page.waitForTimeout(500);
    await page.mouse.click(middle[0] + 90, middle[1] + 60);
    await page.locator('.pane > h2', { hasText: 'The orchard 3' }).waitFor();
    // The address of the page may name a document by its path alone.
    await page.goto(`${served.url}/?view=map&doc=orchard+2.md`);
    await page.locator('.pane > h2', { hasText: 'The orchard 2' }).waitFor();
    await expect.poll(() => summary(page).textContent()).not.toContain('not on the map');
    await page.goto(`${served.url}/?view=map&doc=alone.md`);
    await expect.poll(() => summary(page).textContent()).toContain('The open document is not on the map.');
    await page.context().close();
  },
);

const inkAndAccent = (page: Page): Promise<string[]> =>
  page.evaluate("['body', 'header a'].map((each) => getComputedStyle(document.querySelector(each)).color)");

inBrowser(`keys and buttons move the map${note}`, async () => {
  const page = await served.tab('/?view=map', CALM);
  await drawn(page);
  const stage = stageOf(page);
  await stage.focus();
  const picture = async () => {
    await painted(page);
    return hashPicture(stage);
  };
  const said = (message: string) => ({ message, timeout: 5_000 });
  await expect.poll(() => summary(page).textContent()).toContain('21 linked documents');
  await expect.poll(() => summary(page).textContent()).not.toContain('rough');
  await painted(page);
  const whole = await picture();
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', '+', '-']) {
    await page.keyboard.press(key);
    await expect.poll(picture, said(key)).not.toBe(whole);
    await page.keyboard.press('0');
    await expect.poll(picture, said(key)).toBe(whole);
  }
  const showAll = page.getByRole('button', { name: 'Whole map' });
  await showAll.click();
  const unfocused = await picture();
  for (const name of ['Zoom in', 'Zoom out']) {
    await page.getByRole('button', { name }).click();
    await expect.poll(picture, said(name)).not.toBe(unfocused);
    await showAll.click();
    await expect.poll(picture, said(name)).toBe(unfocused);
  }
  await page.context().close();
});

inBrowser(`hits of the query are lit, and the query can be written on the map${note}`, async () => {
  const page = await served.tab('/?view=map', CALM);
  await drawn(page);
  const colours = await swatches(page);
  await painted(page);
  const before = await countPixels(stageOf(page), colours);
  await page.getByRole('searchbox').fill('how is a quince pruned');
  await expect.poll(() => summary(page).textContent()).toMatch(/Documents found: \d+; lit on the map: \d+\./);
  expect(page.url()).toContain('view=map');
  await page.getByRole('searchbox').fill('"quince is pruned"');
  await expect.poll(() => summary(page).textContent()).toContain('Documents found: 1; lit on the map: 1.');
  await painted(page);
  const after = await countPixels(stageOf(page), colours);
  expect(after.slice(0, 2)).toEqual([0, 0]);
  expect(after[2]).toBeGreaterThan(20);
  expect(before[0]).toBeGreaterThan(50);
  await page.getByRole('searchbox').press('Enter');
  await page.locator('.pane > h2', { hasText: 'The orchard 3' }).waitFor();
  await page.context().close();
});

inBrowser(`the legend is the map as text: a community lights up and lists its documents${note}`, async () => {
  const page = await served.tab('/?view=map', CALM);
  await drawn(page);
  const colours = await swatches(page);
  const lantern = page.locator('.map-legend summary', { hasText: 'The lantern 1' });
  await lantern.focus();
  await page.keyboard.press('Enter');
  const links = page.locator('.map-legend li a');
  await links.first().waitFor();
  expect(await links.count()).toBe(7);
  expect(await links.first().textContent()).toBe('The lantern 1');
  await painted(page);
  const [first, second, third] = await countPixels(stageOf(page), colours);
  expect([first, third]).toEqual([0, 0]);
  expect(second).toBeGreaterThan(50);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^The lantern/);
  await page.keyboard.press('Enter');
  await page.locator('.pane > h2', { hasText: 'The lantern' }).waitFor();
  await page.context().close();
});

inBrowser(`filters apply, and what is not on the map is said${note}`, async () => {
  const page = await served.tab('/?view=map&path=harbour*', CALM);
  await expect.poll(() => summary(page).textContent()).toContain('16 linked pairs, 1 community.');
  await page.getByLabel('Remove the filter path: harbour*').click();
  await expect.poll(() => summary(page).textContent()).toContain('21 linked documents');
  await page.goto(`${served.url}/?view=map&path=alone.md`);
  await page.getByText('No document that passes the filters is linked').waitFor();
  const lonely = await unlinked.tab('/?view=map');
  await lonely.getByText('No document is linked with another one, so there is no map.').waitFor();
  await lonely.route('**/api/map', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, unlinked: 0 } });
  });
  await lonely.reload();
  await lonely.getByText('The index has no documents yet.').waitFor();
  await page.context().close();
  await lonely.context().close();
});

inBrowser(
  `a narrow window needs no scrolling sideways, a wide one has the document beside the map${note}`,
  async () => {
    const narrow = await served.tab('/?view=map', { ...CALM, viewport: { width: 360, height: 720 } });
    await drawn(narrow);
    expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await narrow.goto(`${served.url}/?view=map&doc=orchard+2.md`);
    await narrow.locator('.pane > h2', { hasText: 'The orchard 2' }).waitFor();
    expect(await narrow.locator('.map-stage').isVisible()).toBe(false);
    await narrow.keyboard.press('Escape');
    await expect.poll(() => narrow.locator('.map-stage').isVisible()).toBe(true);
    const wide = await served.tab('/?view=map&doc=orchard+2.md', {
      ...CALM,
      viewport: { width: 2560, height: 1300 },
    });
    await drawn(wide);
    await wide.locator('.pane > h2').waitFor();
    const [map, pane] = [(await stageOf(wide).boundingBox())!, (await wide.locator('.pane').boundingBox())!];
    expect(map.x + map.width).toBeLessThan(pane.x);
    expect(map.width).toBeGreaterThan(700);
    await narrow.context().close();
    await wide.context().close();
  },
);

inBrowser(`the map follows changes of the documents${note}`, async () => {
  const page = await served.tab('/?view=map', CALM);
  await drawn(page);
  await expect.poll(() => summary(page).textContent()).toContain('21 linked documents, 45 linked pairs');
  served.playground.write({ 'notes/alone.md': '# Alone\n\nNo longer: [[orchard 3]].\n' });
  await expect
    .poll(() => summary(page).textContent(), { timeout: 15_000 })
    .toBe('22 linked documents, 46 linked pairs, 3 communities.');
  expect(await page.locator('.map-legend li').allTextContents()).toEqual([
    expect.stringMatching(/ 8 /),
    expect.stringMatching(/ 7 /),
    expect.stringMatching(/ 7 /),
  ]);
  await page.context().close();
});

inBrowser(`a server that goes away is said, and the map comes back with it${note}`, async () => {
  const page = await unlinked.tab('/?view=map&path=none.md');
  await page.getByText('No document that passes the filters is linked').waitFor();
  await unlinked.stop();
  await page.getByLabel('Remove the filter path: none.md').click();
  await page.getByRole('alert').filter({ hasText: 'The server does not answer.' }).waitFor();
  await unlinked.start();
  await page.getByText('so there is no map').waitFor();
  await page.context().close();
});

inBrowser(`nothing failed, nothing was blocked, and nothing else was asked${note}`, () => {
  expectNothingFailed(served);
});
