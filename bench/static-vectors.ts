/**
 * An export with vectors in Chromium: what a reader loads who switches search by meaning on, how long that takes, and whether the
 * page finds what `search` finds.
 * Usage: node bench/static-vectors.ts VAULT [--set JUDGED] [--queries 40] [--index FOLDER] [--out FILE]
 * Without judged queries, it asks the first sentences of some documents. Without an index, one is made, so the vault should be small.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import type { Index } from '../src/engine/api.ts';
import { open } from '../src/engine/open.ts';
import { findChromium } from '../test/support/chromium.ts';
import { keep } from './record.ts';
import { type Site, serveSite } from './serve-site.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string' },
    queries: { type: 'string', default: '40' },
    index: { type: 'string' },
    out: { type: 'string' },
  },
});
const vault = resolve(positionals[0] ?? '.');
const HITS = 5;
/** What an export does not know: places of words, code, copies, and today. */
const WITHOUT = {
  ...{ nearness_weight: 0, code_search_enabled: false, recency_bias: 0 },
  ...{ content_dedup_enabled: false, ngram_dedup_enabled: false },
};

const folder = mkdtempSync(join(tmpdir(), 'docfuse-static-'));
try {
  const indexPath = values.index ?? join(folder, 'index');
  await using index = await open({ roots: [vault], indexPath });
  await index.sync();
  await using without = await open({ roots: [vault], indexPath, settings: { search: WITHOUT } });
  const began = performance.now();
  const report = await index.export(join(folder, 'site'), { vectors: true });
  const seconds = (performance.now() - began) / 1000;
  const measured = {
    vault: basename(vault),
    ...{ documents: report.documents, passages: report.passages, meaningBytes: report.meaningBytes, seconds },
    ...(await inBrowser(index, without, await readQueries(index))),
  };
  console.log(JSON.stringify(measured, null, 2));
  await keep(`static-vectors-${basename(vault)}`, measured, values.out);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function readQueries(index: Index): Promise<readonly string[]> {
  const count = Number(values.queries);
  if (values.set !== undefined) {
    const lines = readFileSync(join(values.set, 'queries.jsonl'), 'utf8').trim().split('\n');
    return lines.slice(0, count).map((line) => JSON.parse(line).text);
  }
  const { documents } = await index.list({ limit: 1_000_000 });
  const each = Math.max(1, Math.floor(documents.length / count));
  const some = documents.filter((_, place) => place % each === 0).slice(0, count);
  const texts = await Promise.all(some.map(({ documentId }) => index.read(documentId)));
  return texts.flatMap(({ text }) => /^[A-Z][\w ,'’-]{30,120}[.:?]$/m.exec(text)?.[0] ?? []);
}

/** @param without the same index without what an export lacks */
async function inBrowser(index: Index, without: Index, queries: readonly string[]) {
  const site = await serveSite(join(folder, 'site'));
  const browser = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox'] });
  const page = await (await browser.newContext()).newPage();
  const visit = async (query: string) => {
    await page.goto(`${site.url}index.html?q=${encodeURIComponent(query)}`);
    await settled(page);
  };
  site.reset();
  await visit(queries[0]!);
  const words = site.count();
  const first = await load(page, site, () => page.getByLabel(/^Search by meaning/).check());
  const times: number[] = [];
  const [usual, alike]: [Likeness[], Likeness[]] = [[], []];
  for (const query of queries.slice(1)) {
    times.push(await ask(page, query));
    const found = await page.locator('.hit').evaluateAll((all) => all.map((hit) => hit.textContent ?? ''));
    usual.push(await compare(index, query, found));
    alike.push(await compare(without, query, found));
  }
  const again = await load(page, site, () => visit(queries[0]!));
  await browser.close();
  site.close();
  times.sort((a, b) => a - b);
  return {
    ...{ words, first, again, queries: times.length },
    /** From the last key to the answer by meaning, with the pause after a key. */
    milliseconds: {
      p50: Math.round(times[Math.floor(times.length / 2)]!),
      p95: Math.round(times[Math.floor(times.length * 0.95)]!),
    },
    ...{ usual: mean(usual), withoutWhatExportsLack: mean(alike) },
  };
}

interface Likeness {
  /** Whether the first page is the same. */
  readonly first: number;
  /** Share of the pages of `search` that are among as many of the page. */
  readonly shared: number;
}

async function compare(index: Index, query: string, found: readonly string[]): Promise<Likeness> {
  const { hits, unsure } = await index.search(query, { topN: HITS, parents: false });
  const wanted = [...hits, ...unsure].map(({ path }) => path);
  const shared = wanted.filter((path) => found.slice(0, wanted.length).some((text) => text.includes(path)));
  return { first: Number(found[0]!.includes(wanted[0]!)), shared: shared.length / wanted.length };
}

function mean(all: readonly Likeness[]): Likeness {
  const of = (name: keyof Likeness) => all.reduce((sum, each) => sum + each[name], 0) / all.length;
  return { first: of('first'), shared: of('shared') };
}

function settled(page: Page): Promise<void> {
  return page.locator('.status [role=status]', { hasText: /hit/ }).waitFor();
}

/** Types a query. @returns milliseconds until the page tells of the answer by meaning: its status is empty before */
function ask(page: Page, query: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const began = performance.now();
    const status = document.querySelector('.status [role=status]');
    let wasEmpty = false;
    new MutationObserver((_, observer) => {
      if (status.textContent === '') wasEmpty = true;
      else if (wasEmpty) {
        observer.disconnect();
        resolve(performance.now() - began);
      }
    }).observe(status, { childList: true, subtree: true, characterData: true });
    const field = document.querySelector('input[type=search]');
    field.value = ${JSON.stringify(query)};
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })`);
}

/** Counts until the page finds by meaning. */
async function load(page: Page, site: Site, begin: () => Promise<unknown>) {
  site.reset();
  const began = performance.now();
  await begin();
  await page.getByText('Found by words and meaning.').waitFor({ timeout: 120_000 });
  return { ...site.count(), milliseconds: Math.round(performance.now() - began) };
}
