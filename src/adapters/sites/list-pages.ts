/** Finds the pages of a web site: the links in its `llms.txt`, else the addresses in its sitemaps. */
import { gunzipSync } from 'node:zlib';
import { DocfuseError } from '../../core/errors.ts';
import { markdown } from '../../core/markdown/markdown-it.ts';
import { destinationsIn } from './destinations.ts';
import type { Visitor } from './visitor.ts';

/** Max lists that are read: sitemaps name further sitemaps, and an `llms.txt` names others. */
const MAX_LISTS = 200;
const MAX_LIST_BYTES = 50 * 2 ** 20;
const LIST = /\.(?:txt|xml|xml\.gz)$/i;
const FILE = /\.(?:txt|xml|xml\.gz|html?|mdx?)$/i;
/** Addresses of pictures, scripts and other data, and of files that repeat the text of all pages. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|json|xml|ya?ml|pdf|zip|gz|mp[34]|webm|woff2?)$|\/llms-[\w-]+\.txt$/i;

/**
 * Returns the addresses of pages, without fragments, each once, in the order of the lists. The pages are below the address of
 * the site. Only a `.txt` list in the site's own folder may also name other pages of the origin.
 * @throws DocfuseError `not_found` if no list has such a page, with what was tried; `remote`, `aborted`
 */
export async function listPages(visitor: Visitor, site: URL): Promise<readonly URL[]> {
  const folder = new URL(FILE.test(site.pathname) ? '.' : `${site.pathname.replace(/\/+$/, '')}/`, site);
  const isBelow = ({ pathname }: URL) => `${pathname}/`.startsWith(folder.pathname);
  const everywhere = () => true;
  const groups = LIST.test(site.pathname)
    ? [{ lists: [site], takes: /\.txt$/i.test(site.pathname) ? everywhere : isBelow }]
    : [
        { lists: [new URL('llms.txt', folder)], takes: everywhere },
        { lists: [new URL('/llms.txt', site)], takes: isBelow },
        { lists: [new URL('sitemap.xml', folder)], takes: isBelow },
        { lists: visitor.sitemaps.flatMap((each) => URL.parse(each, site.href) ?? []), takes: isBelow },
        { lists: [new URL('/sitemap.xml', site)], takes: isBelow },
      ];
  const problems: string[] = [];
  const tried = new Set<string>();
  for (const { lists, takes } of groups) {
    const pages = await readLists(visitor, lists, problems, tried);
    const found = pages.filter(
      (page) => page.origin === site.origin && takes(page) && !NO_PAGE.test(page.pathname),
    );
    if (found.length > 0) return found;
    if (pages.length > 0)
      problems.push(`${lists[0]?.pathname} names only other pages, such as ${pages[0]!.href}`);
  }
  throw new DocfuseError(
    'not_found',
    `${site.href} has no list of pages below it: ${problems.slice(0, 6).join('; ')}.`,
    'Name its llms.txt or its sitemap, such as https://host/docs/sitemap.xml.',
  );
}

async function readLists(
  visitor: Visitor,
  lists: readonly URL[],
  problems: string[],
  tried: Set<string>,
): Promise<readonly URL[]> {
  const pages = new Map<string, URL>();
  const queue = [...lists];
  for (let next = queue.shift(); next && tried.size < MAX_LISTS; next = queue.shift()) {
    if (tried.has(next.href)) continue;
    tried.add(next.href);
    const answer = await visitor.get(next, {
      accept: 'text/plain, text/markdown, application/xml, */*;q=0.5',
    });
    const { problem, addresses, areLists } =
      'problem' in answer ? { ...answer, ...NONE } : readList(answer.bytes);
    if (addresses.length === 0) problems.push(`${next.pathname} ${problem ?? 'names no pages'}`);
    for (const address of addresses) {
      const url = URL.parse(address, ('url' in answer ? answer.url : next).href);
      if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) continue;
      url.hash = '';
      if (areLists || url.pathname.endsWith('/llms.txt')) queue.push(url);
      else pages.set(url.href, url);
    }
  }
  return [...pages.values()];
}

interface List {
  readonly problem?: string;
  readonly addresses: readonly string[];
  /** Whether the addresses are those of further lists. */
  readonly areLists: boolean;
}

const NONE = { addresses: [], areLists: false };

/** Reads a sitemap, packed or not, or the links of an `llms.txt`. */
function readList(bytes: Uint8Array): List {
  let text: string;
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    text = new TextDecoder().decode(
      isPacked ? gunzipSync(bytes, { maxOutputLength: MAX_LIST_BYTES }) : bytes,
    );
  } catch {
    return { ...NONE, problem: 'cannot be unpacked' };
  }
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) return { ...NONE, problem: 'is a web page, not a list' };
  if (!/^\s*</.test(text)) return { ...NONE, addresses: destinationsIn(text).map(({ href }) => href) };
  // Reads only `<loc>`: elements such as `<image:loc>` name no pages.
  const places = text.matchAll(/<loc>\s{0,99}(?:<!\[CDATA\[)?\s{0,99}([^<\]]{1,2048})/g);
  return {
    addresses: [...places].map(([, place = '']) => markdown.utils.unescapeAll(place.trim())),
    areLists: /<sitemapindex\b/.test(text),
  };
}
