/**
 * An export beside Pagefind: bytes, requests, time and quality in Chromium, from a server that only knows files.
 * Usage: node bench/static.ts VAULT [--set JUDGED] [--queries 200] [--out FILE]
 * Each ten queries have a browser without cache; the first of them also loads the scripts. Text is served with gzip, as hosts do.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import MarkdownIt from 'markdown-it';
import { chromium, type Page } from 'playwright-core';
import { parseDocument } from '../src/core/markdown/parse-document.ts';
import { open } from '../src/engine/open.ts';
import { findChromium } from '../test/support/chromium.ts';
import { keep } from './record.ts';
import { serveSite } from './serve-site.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string' },
    queries: { type: 'string', default: '200' },
    out: { type: 'string' },
  },
});
const vault = resolve(positionals[0] ?? '.');
const SESSION = 10;
const HITS = 10;

interface Query {
  readonly id: string;
  readonly text: string;
}

const folder = mkdtempSync(join(tmpdir(), 'docfuse-static-'));
const served = join(folder, 'site');
try {
  const titles = renderSite();
  const began = performance.now();
  pagefind();
  const indexed = performance.now();
  await using index = await open({ roots: [vault], indexPath: join(folder, 'index') });
  await index.sync({ embed: false });
  const synced = performance.now();
  const report = await index.export(join(served, 'docfuse'));
  const exported = performance.now();
  writeFileSync(
    join(served, 'docfuse.html'),
    '<!doctype html><script type="module" src="docfuse/docfuse-search.js"></script><docfuse-search src="docfuse/" href="/{path}"></docfuse-search>',
  );
  writeFileSync(join(served, 'pagefind.html'), '<!doctype html>');
  const queries = readQueries(titles);
  const measured = {
    vault: basename(vault),
    documents: report.documents,
    queries: queries.length,
    seconds: { pagefind: (indexed - began) / 1000, docfuse: (exported - synced) / 1000 },
    docfuse: await measure(queries, 'docfuse.html', searchDocfuse),
    pagefind: await measure(queries, 'pagefind.html', searchPagefind),
  };
  console.log(JSON.stringify(measured, null, 2));
  await keep(`static-${basename(vault)}`, measured, values.out);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes a minimal HTML page of each document. @returns the titles */
function renderSite(): readonly string[] {
  const markdown = new MarkdownIt({ html: true });
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter((path) => extname(path) === '.md')
    .map((path) => {
      const source = readFileSync(join(vault, path), 'utf8');
      const { title } = parseDocument(path, source);
      const body = markdown.render(source.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, ''));
      const target = join(served, path.replace(/\.md$/, '.html'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(
        target,
        `<!doctype html><html lang="en"><head><title>${escaped(title)}</title></head><body><main data-pagefind-body>${body}</main></body></html>`,
      );
      return title;
    });
}

function pagefind(): void {
  const peers = join(import.meta.dirname, 'peers');
  execFileSync('npm', ['install', '--prefix', peers, '--no-package-lock', '--ignore-scripts', '--silent']);
  const command = join(peers, 'node_modules/pagefind/lib/runner/bin.cjs');
  execFileSync(process.execPath, [command, '--site', served], { stdio: 'ignore' });
}

/** Judged queries, or else the titles of some documents. */
function readQueries(titles: readonly string[]): readonly Query[] {
  const count = Number(values.queries);
  if (values.set === undefined) {
    const each = Math.max(1, Math.floor(titles.length / count));
    return titles
      .filter((_, place) => place % each === 0)
      .slice(0, count)
      .map((text, id) => ({ id: String(id), text }));
  }
  const lines = readFileSync(join(values.set, 'queries.jsonl'), 'utf8').trim().split('\n');
  return lines.slice(0, count).map((line) => {
    const { _id: id, text } = JSON.parse(line);
    return { id, text };
  });
}

interface Figures {
  readonly bytes: number;
  readonly requests: number;
  readonly milliseconds: number;
}

async function measure(
  queries: readonly Query[],
  start: string,
  search: (page: Page, query: string) => Promise<readonly string[]>,
) {
  const site = await serveSite(served);
  const browser = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox'] });
  const firsts: Figures[] = [];
  const tenths: Figures[] = [];
  const gains: number[] = [];
  const relevant = readRelevant();
  for (let from = 0; from < queries.length; from += SESSION) {
    const context = await browser.newContext();
    const page = await context.newPage();
    site.reset();
    await page.goto(`${site.url}${start}`, { waitUntil: 'load' });
    for (const [place, { id, text }] of queries.slice(from, from + SESSION).entries()) {
      // The first query pays for everything that was loaded before it.
      if (place > 0) site.reset();
      const began = performance.now();
      const paths = await search(page, text);
      const milliseconds = performance.now() - began;
      if (place === 0) firsts.push({ ...site.count(), milliseconds });
      if (place === SESSION - 1) tenths.push({ ...site.count(), milliseconds });
      if (relevant) gains.push(ndcg(paths, relevant.get(id) ?? new Map()));
    }
    await context.close();
  }
  await browser.close();
  site.close();
  return {
    first: middle(firsts),
    tenth: middle(tenths),
    ...(relevant && { ndcg10: gains.reduce((sum, gain) => sum + gain, 0) / gains.length }),
  };
}

/** Types into the element, and reads the addresses of its hits. */
async function searchDocfuse(page: Page, query: string): Promise<readonly string[]> {
  const links = (await page.evaluate(`new Promise((resolve) => {
    const root = document.querySelector('docfuse-search').shadowRoot;
    const field = root.querySelector('input');
    const observer = new MutationObserver(() => {
      observer.disconnect();
      resolve([...root.querySelectorAll('a')].map(({ href }) => new URL(href).pathname));
    });
    observer.observe(root.querySelector('.status'), { childList: true });
    field.focus();
    field.value = ${JSON.stringify(query)};
    field.dispatchEvent(new Event('input'));
  })`)) as readonly string[];
  return [...new Set(links.map((path) => `${decodeURIComponent(path.slice(1))}.md`))];
}

/** Searches, and loads what a list of ten hits shows. */
async function searchPagefind(page: Page, query: string): Promise<readonly string[]> {
  const urls = (await page.evaluate(`(async () => {
    const pagefind = await import('/pagefind/pagefind.js');
    const { results } = await pagefind.search(${JSON.stringify(query)});
    return (await Promise.all(results.slice(0, ${HITS}).map((each) => each.data()))).map(({ url }) => url);
  })()`)) as readonly string[];
  return urls.map((url) => decodeURIComponent(url.slice(1)).replace(/\.html$/, '.md'));
}

type Relevant = ReadonlyMap<string, ReadonlyMap<string, number>>;

function readRelevant(): Relevant | undefined {
  if (values.set === undefined) return undefined;
  const rows = readFileSync(join(values.set, 'qrels.tsv'), 'utf8').trim().split('\n').slice(1);
  const byQuery = Map.groupBy(
    rows.map((row) => row.split('\t')),
    ([query]) => query!,
  );
  return new Map(
    [...byQuery].map(([query, all]) => [
      query,
      new Map(all.map(([, path, grade]) => [path!, Number(grade)])),
    ]),
  );
}

function ndcg(paths: readonly string[], grades: ReadonlyMap<string, number>): number {
  const sum = (gains: readonly number[]) =>
    gains.slice(0, HITS).reduce((total, gain, rank) => total + gain / Math.log2(rank + 2), 0);
  const best = sum([...grades.values()].sort((a, b) => b - a));
  return best === 0 ? 0 : sum(paths.map((path) => grades.get(path) ?? 0)) / best;
}

/** Mean of bytes and requests, median and 95th percentile of times. */
function middle(all: readonly Figures[]) {
  const mean = (of: (figures: Figures) => number) =>
    Math.round(all.reduce((sum, each) => sum + of(each), 0) / all.length);
  const times = all.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return {
    bytes: mean(({ bytes }) => bytes),
    requests: mean(({ requests }) => requests),
    p50: Math.round(times[Math.floor(times.length / 2)]!),
    p95: Math.round(times[Math.floor(times.length * 0.95)]!),
  };
}
