/** Fetches the pages of a web site into a folder of Markdown files, or brings that folder up to date. */
import { existsSync } from 'node:fs';
import { glob, readFile, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { Converter } from '../../core/ports.ts';
import { isBusy } from '../remote/request.ts';
import { listPages } from './list-pages.ts';
import { type Page, readManifest, replaceText, writeManifest } from './manifest.ts';
import { createPageFinder, namePages } from './page-files.ts';
import { markdownOf, pageText } from './page-text.ts';
import { type NoVisit, openVisitor, type Visit, type VisitorOptions } from './visitor.ts';

export interface FetchOptions extends Omit<VisitorOptions, 'origin'> {
  readonly site: URL;
  /** Folder of this site alone: other Markdown files in it are deleted. */
  readonly folder: string;
  /** @default that of the last run, else 2000 */
  readonly maxPages?: number | undefined;
  readonly converter: Converter;
  readonly now: () => number;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface FetchReport {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly failed: number;
  /** Pages in the folder now. */
  readonly pages: number;
  /** False if the run gave up after many failures in a row; the next run goes on. */
  readonly complete: boolean;
  /** `path` is the address of a page, or empty. */
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

const DEFAULT_MAX_PAGES = 2000;
/** A run gives up after this number of pages in a row for which the site does not answer, or answers with 429 or 5xx. */
const MAX_FAILURES = 5;
/** Time for which an interrupted run can be continued. After that, all pages are asked for again. */
const MAX_PAUSE_MS = 24 * 3600 * 1000;
/** Milliseconds between two writes of the record. After a crash, pages that are not in the record are fetched again. */
const SAVE_EVERY_MS = 2_000;
const ACCEPT = 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1';

/** @throws DocfuseError `not_found` without a list of pages, `remote`, `aborted`; errors of the file system */
export async function fetchSite(options: FetchOptions): Promise<FetchReport> {
  const { site, folder, converter, now, signal, onProgress } = options;
  const before = await readManifest(folder);
  const maxPages = options.maxPages ?? before?.maxPages ?? DEFAULT_MAX_PAGES;
  const { began = now() } = before && now() - (before.began ?? 0) < MAX_PAUSE_MS ? before : {};
  const visitor = await openVisitor({ ...options, origin: site.origin });
  const listed = await listPages(visitor, site);
  const allowed = listed.filter(visitor.isAllowed);
  const wanted = allowed.slice(0, maxPages);
  const former = new Map(Object.entries(before?.pages ?? {}));
  const pages = new Map(former);
  const files = namePages(wanted, new Map([...former].map(([href, { file }]) => [href, file])));
  const find = createPageFinder(files);
  const counts = { added: 0, changed: 0, unchanged: 0, removed: 0, failed: 0 };
  const warnings: { path: string; message: string }[] = [];
  const lacking = new Map<string, number>();
  let failuresInRow = 0;
  let savedAt = performance.now();

  const save = (end: { readonly updated?: number; readonly began?: number }) =>
    writeManifest(folder, { url: site.href, maxPages, ...end, pages: Object.fromEntries(pages) });
  const unfinished = { ...(before?.updated !== undefined && { updated: before.updated }), began };

  function fail(page: URL, problem: string, lacks: readonly string[] = []): void {
    counts.failed++;
    for (const name of lacks) lacking.set(name, (lacking.get(name) ?? 0) + 1);
    const kept = pages.has(page.href) ? '; its former text is kept' : '';
    if (lacks.length === 0) warnings.push({ path: page.href, message: `${problem}${kept}` });
  }

  async function readPage(page: URL): Promise<void> {
    const known = pages.get(page.href);
    const file = files.get(page.href)!;
    const place = join(folder, file);
    const isThere = known !== undefined && existsSync(place);
    if (isThere && known.checked >= began) return void counts.unchanged++; // the interrupted run has read this page
    let isDown = false;
    const visit: Visit | NoVisit = await visitor
      .get(page, { accept: ACCEPT, ...(isThere && conditions(known)) })
      .catch((error: unknown) => {
        isDown = error instanceof DocfuseError && error.code === 'remote';
        if (isDown) return { problem: `failed: ${(error as Error).message}` };
        throw error;
      });
    failuresInRow = isDown || isBusy(visit.status ?? 0) ? failuresInRow + 1 : 0;
    if ('problem' in visit && (visit.status === 404 || visit.status === 410) && pages.delete(page.href))
      return void counts.removed++;
    if ('problem' in visit) return fail(page, visit.problem);
    const isSame = visit.status === 304 && isThere;
    const checked = { ...(isSame && known), ...validatorsOf(visit.headers), file, checked: now() };
    if (isSame) counts.unchanged++;
    else {
      const content = await markdownOf(visit, converter, signal);
      if ('problem' in content) return fail(page, content.problem, 'lacks' in content ? content.lacks : []);
      const text = pageText(content.text, { url: visit.url, file, find });
      if (isThere && (await readFile(place, 'utf8')) === text) counts.unchanged++;
      else {
        await replaceText(place, text);
        counts[known ? 'changed' : 'added']++;
      }
    }
    pages.set(page.href, checked);
    if (performance.now() - savedAt < SAVE_EVERY_MS) return;
    await save(unfinished);
    savedAt = performance.now();
  }

  try {
    for (const [done, page] of wanted.entries()) {
      if (failuresInRow >= MAX_FAILURES) break;
      onProgress?.(done, wanted.length);
      await readPage(page);
    }
  } catch (error) {
    if (pages.size > 0) await save(unfinished).catch(() => {});
    throw error;
  }
  for (const href of former.keys()) if (!files.has(href) && pages.delete(href)) counts.removed++;
  const complete = failuresInRow < MAX_FAILURES;
  if (pages.size > 0 || before) await save(complete ? { updated: now() } : unfinished);
  await removeOthers(folder, pages);

  const say = (message: string) => warnings.unshift({ path: '', message });
  for (const [name, count] of lacking)
    say(
      `Pages that are HTML are left out: ${count}. To read them, install ${name}; docfuse formats says how.`,
    );
  if (allowed.length < listed.length)
    say(`Pages that robots.txt disallows: ${listed.length - allowed.length}.`);
  if (wanted.length < allowed.length)
    say(
      `The site lists ${allowed.length} pages, and the first ${maxPages} are read. --max-pages reads more.`,
    );
  if (!complete)
    say(`Gave up after ${MAX_FAILURES} failures in a row. Run the command again later to go on.`);
  return { ...counts, pages: pages.size, complete, warnings };
}

/** Headers that ask for a page only if it has changed. */
function conditions({ etag, modified }: Page): Readonly<Record<string, string>> {
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

function validatorsOf(headers: Headers): Pick<Page, 'etag' | 'modified'> {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  return { ...(etag && { etag }), ...(modified && { modified }) };
}

/** Deletes each Markdown file in the folder that is not the file of one of `pages`. */
async function removeOthers(folder: string, pages: ReadonlyMap<string, Page>): Promise<void> {
  const kept = new Set([...pages.values()].map(({ file }) => file));
  for await (const path of glob('**/*.md', { cwd: folder }))
    if (!kept.has(path.split(sep).join('/'))) await rm(join(folder, path), { force: true });
}
