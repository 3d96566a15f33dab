/** `docfuse/core` and its example, bundled for browsers, in a real one. */
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeTabs, findChromium, openBrowser, WITHOUT_CHROMIUM } from '../../support/chromium.ts';

const executablePath = findChromium();

let browser: Browser | undefined;
let script: string;

beforeAll(async () => {
  if (executablePath === undefined) return;
  await using bundle = await rolldown({
    input: fileURLToPath(new URL('../../../examples/browser.ts', import.meta.url)),
    resolve: {
      alias: { 'docfuse/core': fileURLToPath(new URL('../../../src/core/index.ts', import.meta.url)) },
    },
    platform: 'browser',
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'docfuse', minify: true });
  const [{ code, imports }, ...others] = output;
  script = code;
  // Whatever is imported is in the bundle: nothing of Node is left over.
  expect([imports, others]).toEqual([[], []]);
  browser = await openBrowser();
}, 60_000);
afterAll(closeTabs);

const TEXTS = {
  'lantern.md': '# Lanterns\n\nHow to light a lantern in the rain. See [oil](oil.md).\n',
  'oil.md': '# Oil\n\nBuy lamp oil in winter.\n',
  'bread.md': '# Bread\n\nFlour, water, salt.\n',
};

/** Runs in the page, where `docfuse` is what the example exports. */
declare const docfuse: typeof import('../../../examples/browser.ts');

const inBrowser = executablePath === undefined ? test.skip : test;
const note = executablePath === undefined ? ` (${WITHOUT_CHROMIUM})` : '';

inBrowser(
  `builds an index in the page and searches it by words and by vectors it is given${note}`,
  async () => {
    const page = await browser!.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.addScriptTag({ content: script });
    const words = await page.evaluate((texts) => docfuse.searchByWords(texts, 'lantern rain'), TEXTS);
    expect(words[0]).toBe('lantern.md:1');
    const meaning = await page.evaluate(
      (texts) =>
        docfuse.searchByMeaning(
          texts,
          'something to eat',
          2,
          async (text) => new Float32Array(/bread|eat/i.test(text) ? [1, 0] : [0, 1]),
        ),
      TEXTS,
    );
    expect(meaning[0]).toBe('bread.md:1');
    expect(errors).toEqual([]);
  },
);
