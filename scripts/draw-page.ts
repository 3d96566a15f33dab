/**
 * Takes pictures of the web page in Chromium, over the guides of this documentation.
 * Usage: node scripts/draw-page.ts [folder for all views, default the pictures in docs/images]
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startServer } from '../src/surfaces/http/start-server.ts';
import { findChromium, WITHOUT_CHROMIUM } from '../test/support/chromium.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const QUERY = 'can other machines ask the server';
const SIZE = { width: 1140, height: 680 };

const executablePath = findChromium();
if (executablePath === undefined) throw new Error(`This ${WITHOUT_CHROMIUM}.`);
const indexPath = join(ROOT, 'node_modules/.cache/docfuse-page');
const ready = Promise.withResolvers<void>();
const server = await startServer({
  open: { roots: [join(ROOT, 'docs/guides')], indexPath, cwd: ROOT },
  port: 0,
  onReady: ready.resolve,
});
await ready.promise;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const folder = process.argv[2] && resolve(process.argv[2]);
if (folder) {
  mkdirSync(folder, { recursive: true });
  for (const colors of ['light', 'dark'] as const) {
    await draw(join(folder, `search-${colors}.png`), colors, false);
    await draw(join(folder, `reading-${colors}.png`), colors, true);
    await draw(join(folder, `narrow-${colors}.png`), colors, false, { width: 360, height: 720 });
  }
  await drawStatus(join(folder, 'status-light.png'), 'light');
  await drawStatus(join(folder, 'status-narrow.png'), 'dark', { width: 360, height: 720 });
  await drawStatus(join(folder, 'status-wide.png'), 'light', { width: 2560, height: 1400 });
  await drawMaps(folder);
} else {
  await draw(join(ROOT, 'docs/images/page.png'), 'light', true);
  await drawStatus(join(ROOT, 'docs/images/status.png'), 'dark', { width: 1140, height: 1000 });
  await drawMaps(join(ROOT, 'docs/images'));
}
await browser.close();
await server.close();

async function draw(
  path: string,
  colorScheme: 'light' | 'dark',
  reads: boolean,
  viewport = SIZE,
): Promise<void> {
  const context = await browser.newContext({ colorScheme, viewport });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.getByRole('searchbox').fill(QUERY);
  await page.locator('.status [role=status]', { hasText: /hit/ }).waitFor();
  if (reads) {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.pane .marked').first().waitFor();
    await page.locator('.related').waitFor();
  }
  await page.screenshot({ path });
  await context.close();
}

/** Draws the view of the state of the index, after some searches. The folders of this machine are not shown. */
async function drawStatus(path: string, colorScheme: 'light' | 'dark', viewport = SIZE): Promise<void> {
  for (const query of ['token', 'port', 'index path', 'watch files', 'front matter', QUERY])
    await fetch(`${server.url}/api/search?query=${encodeURIComponent(query)}`).then((answer) =>
      answer.text(),
    );
  const context = await browser.newContext({ colorScheme, viewport });
  const page = await context.newPage();
  await page.route('**/api/status', async (route) => {
    const text = await (await route.fetch()).text();
    const body = text.replaceAll(indexPath, '/srv/docfuse/indexes/guides').replaceAll(ROOT, '/srv/');
    await route.fulfill({ contentType: 'application/json', body });
  });
  await page.goto(`${server.url}/?view=status`);
  await page.getByText('Longest documents').waitFor();
  // The plots are drawn in the next frame.
  await page.waitForTimeout(500);
  await page.screenshot({ path });
  await context.close();
}

/** Draws the map of all pages of this documentation: the whole one, and one with the hits of a query. */
async function drawMaps(folder: string): Promise<void> {
  const all = await startServer({
    open: { roots: [join(ROOT, 'docs')], indexPath: `${indexPath}-map`, cwd: ROOT },
    port: 0,
  });
  for (const [colorScheme, query] of [
    ['light', ''],
    ['dark', '?q=confidence&mode=keyword'],
  ] as const) {
    const context = await browser.newContext({ colorScheme, viewport: SIZE, reducedMotion: 'reduce' });
    const page = await context.newPage();
    // The index is read, and places are computed.
    await page.goto(`${all.url}/${query || '?'}&view=map`);
    await page.getByText('without links').waitFor();
    await page.locator('.map-view .status', { hasNotText: 'rough' }).waitFor();
    if (query !== '') await page.getByText('lit on the map').waitFor();
    await page.waitForTimeout(1000);
    await page.screenshot({ path: join(folder, `map-${colorScheme}.png`) });
    await context.close();
  }
  await all.close();
}
