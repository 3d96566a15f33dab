/** Where the links and pictures of a document lead: to a place in it, to another document, or out of the collection. */
import { decodePercent } from '../../core/text/anchor-name.ts';
import { folderOf, joinPath } from '../../core/text/paths.ts';
import type { AnswerTo } from './session.ts';

export type Target =
  | { readonly kind: 'heading'; readonly heading: string }
  | { readonly kind: 'document'; readonly id: string; readonly heading?: string | undefined }
  | { readonly kind: 'outside'; readonly address: string };

export type LinkedPage = AnswerTo<'/api/related'>['linked'][number];

/** Stands for the root of the collection while an address is resolved. */
const ROOT = 'http://collection.invalid/';

/** Resolves the address of a Markdown link. Undefined for an address that leads nowhere, such as `javascript:`. */
export function targetOf(
  href: string,
  { collection, path }: Pick<LinkedPage, 'collection' | 'path'>,
): Target | undefined {
  if (href.startsWith('#')) return { kind: 'heading', heading: decodePercent(href.slice(1)) };
  const base = new URL(path.split('/').map(encodeURIComponent).join('/'), ROOT);
  const url = URL.parse(href, base);
  if (url === null) return undefined;
  if (url.origin !== base.origin) {
    return /^(?:https?|mailto):$/.test(url.protocol) ? { kind: 'outside', address: url.href } : undefined;
  }
  // `URL` ignores `..` above the root, so the address would name another document.
  if (joinPath(folderOf(path), href.replace(/[?#].*/s, '')) === undefined) return undefined;
  const id = `${collection}/${decodePercent(url.pathname.slice(1))}`;
  return { kind: 'document', id, heading: decodePercent(url.hash.slice(1)) || undefined };
}

/** Splits what is between `[[` and `]]` into the name of a document and a heading. */
export function wikiTarget(text: string): Target {
  const [name = '', heading] = text.replace(/\\$/, '').split('#');
  if (name.trim() === '') return { kind: 'heading', heading: heading ?? '' };
  return { kind: 'document', id: name.trim(), heading: heading || undefined };
}

/** Whether a link stands on one of these lines. */
export function isOn(
  [first, last]: readonly [first: number, last: number],
  { direction, line }: LinkedPage['links'][number],
): boolean {
  return direction === 'out' && first <= line && line <= last;
}

/** Whether `[[name]]` may mean this document, by its path or title. Several documents may have the name. */
export function isNamed({ path, title }: Pick<LinkedPage, 'path' | 'title'>, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\.md$/, '');
  const wanted = plain(name).replace(/^(?:\.{0,2}\/)+/, '');
  return `/${plain(path)}`.endsWith(`/${wanted}`) || title.toLowerCase() === wanted;
}
