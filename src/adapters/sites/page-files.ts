/** Gives every page of a site a file: its path is like the path of the page's address. */
import { createHash } from 'node:crypto';
import { decodePercent } from '../../core/text/anchor-name.ts';

/** Max UTF-16 units of one name, and of a whole path. File systems allow 255 bytes for a name. */
const MAX_NAME = 60;
const MAX_PATH = 180;
/** Names that Windows reserves for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Returns the file of each page: relative, with `/`. No two files differ only in case.
 * @param pages addresses without fragments, each once
 * @param former files of pages that were fetched before; a page keeps its file
 */
export function namePages(
  pages: readonly URL[],
  former: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const taken = new Set([...former.values()].map(keyOf));
  return new Map(
    pages.map((page) => {
      const wanted = fileOf(page);
      const isFree = !taken.has(keyOf(wanted));
      const file = former.get(page.href) ?? (isFree ? wanted : withHash(wanted, page));
      taken.add(keyOf(file));
      return [page.href, file];
    }),
  );
}

/** Returns a function that finds the file of an address; `/a`, `/a/` and `/a/index.html` are taken for one page. */
export function createPageFinder(files: ReadonlyMap<string, string>): (url: URL) => string | undefined {
  const bySpelling = new Map([...files].map(([href, file]) => [spellingOf(new URL(href)), file]));
  return (url) => bySpelling.get(spellingOf(url));
}

function spellingOf({ origin, pathname, search }: URL): string {
  const bare = pathname.replace(/\.(?:html?|mdx?)$/i, '').replace(/\/(?:index)?$/i, '');
  return `${origin}${bare}${search}`;
}

function fileOf(page: URL): string {
  const path = page.pathname.replace(/\.(?:html?|mdx?|txt)$/i, '');
  const names = path.slice(1).split('/').map(safeName);
  const last = names.pop() || 'index';
  const folders = names.filter((name) => name !== '').map((name) => name.replace(/\.md$/i, '.md_'));
  const file = [...folders, `${last}.md`].join('/');
  if (file.length > MAX_PATH) return withHash(`${last}.md`, page);
  return page.search === '' ? file : withHash(file, page);
}

/** Makes a name that every file system takes, and that docfuse reads: hidden files and `node_modules` are not read. */
function safeName(encoded: string): string {
  const name = decodePercent(encoded)
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*#\u2028\u2029]/g, '_')
    .replace(/^\.|[. ]+$/g, '_');
  const plain = DEVICE.test(name) || /^node_modules$/i.test(name) ? `_${name}` : name;
  return plain.length <= MAX_NAME ? plain : `${plain.slice(0, MAX_NAME - 7).toWellFormed()}-${hash(name)}`;
}

function withHash(file: string, page: URL): string {
  return file.replace(/\.md$/, `-${hash(page.href)}.md`);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

/** Returns a key of a path. Two paths with equal keys may be one file on a disk that ignores case. */
function keyOf(file: string): string {
  return file.normalize('NFC').toLowerCase();
}
