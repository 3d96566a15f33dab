/** The layout of the page: nothing moves by itself, and nothing is wider than the window. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage, settled } from './serve-page.ts';

let served: ServedPage;
beforeAll(async () => {
  const files = { ...NOTES, 'notes/links.md': '# Links\n\n[[tokens]] and [[nowhere]]\n' };
  served = (await servePage(files, ['--judge']))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

/** What moved by itself, as the browser counts it. */
const moved = (page: Page) => page.evaluate('window.moved');
const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth');

async function openAt(place: string, width: number): Promise<Page> {
  const page = await served.tab('/healthz', { viewport: { width, height: 800 } });
  await page.addInitScript(`window.moved = []; new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries())
      if (!hadRecentInput) window.moved.push([value, ...sources.map(({ node }) => node?.nodeName)].join(' '));
  }).observe({ type: 'layout-shift', buffered: true })`);
  await page.goto(served.url + place);
  return page;
}

inBrowser(`nothing moves by itself while hits are reordered${note}`, async () => {
  const page = await openAt('/', 1280);
  await page.getByText('7 documents').waitFor();
  await page.keyboard.type('how does one get rid of a token', { delay: 10 });
  await settled(page);
  // Hits take their places by meaning. Nothing else moves by more than a thousandth of the window: on a busy machine, hits come late,
  // and the browser counts what changes in them.
  for (const each of (await moved(page)) as readonly string[])
    expect(each).toMatch(/^(0\.0\d+( LI)+|0\.000\d+( \S+)+)$/);
  await page.context().close();
});

/** By words: on a busy machine, an answer by meaning comes after one by words, and confidences change. */
const PLACES = [
  ['/?q=token&mode=keyword', '.hit'],
  ['/?q=token&mode=keyword&tag=nowhere', '.no-answer'],
  ['/?q=token&mode=keyword&doc=notes/guide/tokens.md&lines=12-12', '.related'],
  ['/?view=status', '.parts section'],
  ['/?view=map', '.map-legend'],
  ['/?view=judged', '.results p'],
] as const;

/** What is hard to read or to press: small letters, long lines, and buttons, links or fields that cover each other. */
const FAULTS = `(() => {
  const shown = (each) => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 1;
  const told = (each) => each.nodeName + ' ' + each.textContent.trim().slice(0, 40);
  const faults = [];
  for (const each of document.querySelectorAll('body *')) {
    if (!shown(each) || ![...each.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim())) continue;
    const { fontSize, lineHeight, display } = getComputedStyle(each);
    if (parseFloat(fontSize) < 12) faults.push('small: ' + told(each));
    const lines = Math.round(each.getBoundingClientRect().height / parseFloat(lineHeight));
    if (display === 'block' && lines > 1 && each.textContent.length / lines > 110) faults.push('long: ' + told(each));
  }
  const pressed = [...document.querySelectorAll('a, button, input, select, summary')].filter(shown);
  for (const [at, one] of pressed.entries()) for (const other of pressed.slice(at + 1)) {
    if (one.contains(other) || one.closest('.text, .snippet')) continue;
    const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
    const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (wide > 1 && high > 1) faults.push('covered: ' + told(one) + ' and ' + told(other));
  }
  return faults;
})()`;

inBrowser(
  `nothing moves while a page is opened, and all of it is readable from 360 px to 4K${note}`,
  { timeout: 120_000 },
  async () => {
    for (const [place, shown] of PLACES) {
      for (const width of [1280, 390, 360]) {
        const page = await openAt(place, width);
        await page.locator(shown).first().waitFor();
        await page.waitForTimeout(300);
        expect(await moved(page), `${place} at ${width}`).toEqual([]);
        const sizes =
          width === 1280
            ? [
                [1280, 800],
                [2560, 1440],
                [3840, 2160],
              ]
            : [[width, 800]];
        for (const [wide = 0, height = 0] of sizes) {
          await page.setViewportSize({ width: wide, height });
          expect([await isTooWide(page), await page.evaluate(FAULTS)], `${place} at ${wide}`).toEqual([
            false,
            [],
          ]);
        }
        await page.context().close();
      }
    }
  },
);

inBrowser(`a small map has the names of its communities, one beside the other${note}`, async () => {
  const page = await openAt('/?view=map', 1280);
  const shown = page.locator('.map-names bdi:not(.crowded)');
  await shown.first().waitFor();
  const names = await shown.allTextContents();
  expect(names.length).toBeGreaterThan(0);
  const legend = await page.locator('.map-legend li').allTextContents();
  for (const name of names) expect(legend.join()).toContain(name);
  await page.context().close();
});

inBrowser(`Help fits into a narrow window and begins at its top${note}`, async () => {
  const page = await openAt('/?q=token', 360);
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Help' });
  const { x, y, width, height } = (await dialog.boundingBox())!;
  expect([x >= 0, y >= 0, x + width <= 360, y + height <= 800]).toEqual([true, true, true, true]);
  const scrolled =
    "(({ scrollTop, scrollWidth, clientWidth }) => [scrollTop, scrollWidth - clientWidth])(document.querySelector('dialog'))";
  expect(await page.evaluate(scrolled)).toEqual([0, 0]);
  const keys = dialog.locator('dt kbd');
  for (const key of await keys.all()) {
    const [shown, column] = [(await key.boundingBox())!, (await key.locator('..').boundingBox())!];
    expect(shown.width).toBeLessThanOrEqual(column.width);
  }
  await page.context().close();
});

inBrowser(`the bar never hides what has the focus${note}`, async () => {
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [
      `notes/token-${at}.md`,
      `# Token ${at}\n\nA token, number ${at}.\n`,
    ]),
  );
  await using crowded = (await servePage(many))!;
  for (const [width, height] of [
    [1280, 600],
    [1000, 600],
    [640, 400],
    [360, 700],
  ] as const) {
    const page = await crowded.tab('/?q=token', { viewport: { width, height } });
    await settled(page);
    const isSeen = () =>
      page.evaluate(`(() => {
        const { left, top, bottom } = document.activeElement.getBoundingClientRect();
        const seen = [top, bottom - 1].map((y) => document.elementFromPoint(left + 10, y));
        return seen.every((each) => document.activeElement.contains(each));
      })()`);
    for (let at = 0; at < 12; at++) await page.keyboard.press('ArrowDown');
    for (let at = 0; at < 12; at++) {
      expect(await isSeen(), `${at} up at ${width} × ${height}`).toBe(true);
      await page.keyboard.press('ArrowUp');
    }
    expect(await page.evaluate('document.activeElement.id')).toBe('search-field');
    expect(await isSeen(), `the query at ${width} × ${height}`).toBe(true);
    await page.context().close();
  }
});

inBrowser(`another query and another view begin at the top${note}`, async () => {
  const page = await served.tab('/?q=token', { viewport: { width: 1280, height: 400 } });
  const top = () => page.evaluate('scrollY');
  const scroll = async () => {
    await page.evaluate('scrollTo(0, 300)');
    await expect.poll(top).toBe(300);
  };
  await page.locator('.hit').nth(2).waitFor();
  await scroll();
  await page.getByRole('searchbox').pressSequentially(' rotate');
  expect(await top()).toBe(0);
  await page.locator('.hit').nth(2).waitFor();
  await scroll();
  await page.getByRole('link', { name: 'Status' }).click();
  await page.locator('.parts section').first().waitFor();
  expect(await top()).toBe(0);
  await page.context().close();
});

inBrowser(`what filters alone found has no confidence${note}`, async () => {
  const page = await served.tab('/?q=tag%3Aops');
  await page.locator('.hit').first().waitFor();
  expect(await page.locator('.hit .confidence').count()).toBe(0);
  await page.context().close();
});
