/** Pictures of the page over this documentation, in light and dark. `npm run pictures` copies them into docs/images. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { openBrowser } from '../../support/chromium.ts';
import { SMALL_ENV } from '../../support/small-model.ts';
import { createPlayground } from '../cli/docfuse.ts';
import { inBrowser, note, serve, settled } from './serve-page.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** `npm run pictures` shows what the packaged model finds. The tests look only at sizes, so a model that loads quickly will do. */
const forReaders = process.env.npm_lifecycle_event === 'pictures';
/** Git does not look there. The indexes are kept for the next run, because the packaged model takes seconds for the guides. */
const KEPT = join(ROOT, `node_modules/.cache/docfuse-${forReaders ? 'pictures' : 'small-pictures'}`);
const PICTURES = join(KEPT, 'docs');
const QUERY = 'can other machines ask the server';
const SIZE = { width: 1140, height: 720 };
const SCHEMES = ['light', 'dark'] as const;
/** Max bytes of a picture: readers load them with the guide. */
const MAX_BYTES = 150_000;

const children: ChildProcess[] = [];
let browser: Browser;
let guides: string;
let all: string;

beforeAll(async () => {
  if (note !== '') return;
  rmSync(PICTURES, { recursive: true, force: true });
  mkdirSync(PICTURES, { recursive: true });
  using playground = createPlayground({}, { packagedModel: true });
  const start = async (folder: string, model = {}) => {
    const env = { ...playground.env, XDG_DATA_HOME: join(KEPT, 'data'), ...model };
    const { child, url } = await serve({ folder: ROOT, env }, [folder, '--port', '0']);
    children.push(child);
    return url;
  };
  browser = await openBrowser();
  guides = await start('docs/guides', forReaders ? {} : SMALL_ENV);
  all = await start('docs', SMALL_ENV);
}, 180_000);

afterAll(async () => {
  for (const child of children) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }
});

/** Draws a view in both colour schemes, once it shows what it should. */
async function draw(name: string, address: string, show: (page: Page) => Promise<void>): Promise<void> {
  const drawn = [];
  for (const colorScheme of SCHEMES) {
    const context = await browser.newContext({
      ...{ colorScheme, viewport: SIZE, deviceScaleFactor: 1.5, reducedMotion: 'reduce' },
    });
    const page = await context.newPage();
    await page.route('**/api/status', async (route) => {
      // The folders of this machine are not shown.
      const text = await (await route.fetch()).text();
      const body = text.replaceAll(KEPT, '/srv/docfuse').replaceAll(ROOT, '/srv/');
      await route.fulfill({ contentType: 'application/json', body });
    });
    await page.goto(address);
    await show(page);
    const client = await context.newCDPSession(page);
    const { data } = await client.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
    const picture = Buffer.from(data, 'base64');
    writeFileSync(join(PICTURES, `page-${name}-${colorScheme}.webp`), picture);
    drawn.push(picture.length);
    await context.close();
  }
  // An empty page is far smaller.
  for (const bytes of drawn) expect(bytes).toBeGreaterThan(15_000);
  for (const bytes of drawn) expect(bytes).toBeLessThan(MAX_BYTES);
}

async function find(page: Page): Promise<void> {
  await page.getByRole('searchbox').fill(QUERY);
  await settled(page);
}

inBrowser(`a picture of searching${note}`, () =>
  draw('search', guides, async (page) => {
    await find(page);
    await page.getByText('Why this hit').first().click();
    await page.getByText('Where its place comes from').waitFor();
  }),
);

inBrowser(`a picture of reading${note}`, () =>
  draw('reading', guides, async (page) => {
    await find(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.pane .marked').first().waitFor();
    await page.locator('.related').waitFor();
  }),
);

inBrowser(`a picture of the map${note}`, () =>
  draw('map', `${all}/?view=map`, async (page) => {
    await page.locator('.map-view .status', { hasText: /[1-9]\d* linked documents/ }).waitFor();
    await page.locator('.map-view .status', { hasNotText: 'rough' }).waitFor();
    // The map is drawn in a later frame.
    await page.waitForTimeout(500);
  }),
);

inBrowser(`a picture of the status${note}`, async () => {
  for (const query of ['token', 'port', 'index path', 'watch files', 'front matter', QUERY])
    await fetch(`${guides}/api/search?query=${encodeURIComponent(query)}`).then((answer) => answer.text());
  await draw('status', `${guides}/?view=status`, async (page) => {
    await page.setViewportSize({ ...SIZE, height: 1000 });
    await page.getByText('Most passages').waitFor();
    // The plots are drawn in a later frame.
    await page.waitForTimeout(500);
  });
});
