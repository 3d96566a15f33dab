/**
 * How soon hits are painted after the last key of a query, on the page of a warm server in Chromium.
 * Usage: node bench/typing.ts VAULT [--queries 60] [--index FOLDER] [--out FILE]
 * The index is made in a temporary folder, or used and brought up to date where `--index` names one.
 * The queries are titles of documents, typed with 90 ms between keys. `words` is the first answer to the whole query, `meaning` the
 * last one; the page asks for it after a pause of 160 ms.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { open } from '../src/engine/open.ts';
import { findChromium } from '../test/support/chromium.ts';
import { keep } from './record.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { queries: { type: 'string', default: '60' }, index: { type: 'string' }, out: { type: 'string' } },
});
const vault = resolve(positionals[0] ?? '.');
const KEY_MS = 90;
const WARM_UP = 5;

/** Runs in the page: notes when keys are pressed, and when the answer to a query has been painted. */
const WATCH = `
  globalThis.typing = { key: 0, painted: [] };
  addEventListener('keydown', ({ timeStamp }) => { typing.key = timeStamp; }, true);
  const { fetch } = globalThis;
  globalThis.fetch = async (input, options) => {
    const response = await fetch(input, options);
    if (!String(input).endsWith('/api/search')) return response;
    const { query, mode } = JSON.parse(options.body);
    const read = response.json.bind(response);
    response.json = async () => {
      const answer = await read();
      // The page renders in a microtask. The paint has ended when a task runs after the next frame.
      requestAnimationFrame(() => setTimeout(() => typing.painted.push({ query, mode, at: performance.now() })));
      return answer;
    };
    return response;
  };`;

const folder = mkdtempSync(join(tmpdir(), 'docfuse-typing-'));
const indexPath = values.index ?? join(folder, 'index');
const titles = await readTitles();
const command = join(import.meta.dirname, '../bin/docfuse.js');
const server = spawn(process.execPath, [command, 'serve', vault, '--index', indexPath, '--port', '0']);
const browser = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox'] });
try {
  const url = await addressOf();
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.addInitScript({ content: WATCH });
  await page.goto(url);
  const measured: Painted[] = [];
  for (const title of titles) measured.push(await type(page, title));
  const shown = measured.slice(WARM_UP);
  const report = {
    vault: vault.split('/').at(-1),
    queries: shown.length,
    words: percentiles(shown.map(({ first }) => first)),
    meaning: percentiles(shown.map(({ last }) => last)),
  };
  console.log(JSON.stringify(report, null, 2));
  await keep('typing', report, values.out);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function readTitles(): Promise<readonly string[]> {
  await using index = await open({ roots: [vault], indexPath });
  await index.sync();
  const { documents } = await index.list({ limit: 1_000 });
  const each = Math.max(1, Math.floor(documents.length / (Number(values.queries) + WARM_UP)));
  return documents
    .filter((_, place) => place % each === 0)
    .map(({ title }) => title)
    .slice(0, Number(values.queries) + WARM_UP);
}

function addressOf(): Promise<string> {
  return new Promise((found) => {
    let text = '';
    const read = (piece: Buffer) => {
      text += piece;
      const [url] = /http:\/\/\S+/.exec(text) ?? [];
      if (url) found(url);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
  });
}

interface Painted {
  /** Milliseconds from the last key to the paint of the first and the last answer. */
  readonly first: number;
  readonly last: number;
}

async function type(page: Page, query: string): Promise<Painted> {
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(query, { delay: KEY_MS });
  const both = `typing.painted.filter((each) => each.query === ${JSON.stringify(query)})`;
  while (!(await page.evaluate<boolean>(`${both}.some(({ mode }) => mode === 'hybrid')`))) await sleep(100);
  const times = await page.evaluate<readonly number[]>(`${both}.map(({ at }) => at - typing.key)`);
  await page.evaluate('typing.painted.length = 0');
  await sleep(300);
  return { first: times[0]!, last: times.at(-1)! };
}

function percentiles(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))]! * 10) / 10;
  return { min: at(0), p50: at(0.5), p95: at(0.95), max: at(1) };
}
