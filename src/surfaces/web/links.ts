/** Where the links and pictures of a document lead: to a place in it, to another document, or out of the collection. */
import { decodePercent } from '../../core/text/anchor-name.ts';

export type Target =
  | { readonly kind: 'heading'; readonly heading: string }
  | { readonly kind: 'document'; readonly id: string; readonly heading?: string | undefined }
  | { readonly kind: 'outside'; readonly address: string };

/** Stands for the root of the collection while an address is resolved. */
const ROOT = 'http://collection.invalid/';

interface From {
  readonly collection: string;
  readonly path: string;
}

/** Resolves the address of a Markdown link. Undefined for an address that leads nowhere, such as `javascript:`. */
export function targetOf(href: string, { collection, path }: From): Target | undefined {
  if (href.startsWith('#')) return { kind: 'heading', heading: decodePercent(href.slice(1)) };
  const base = new URL(path.split('/').map(encodeURIComponent).join('/'), ROOT);
  const url = URL.parse(href, base);
  if (url === null) return undefined;
  if (url.origin !== base.origin) {
    return /^(?:https?|mailto):$/.test(url.protocol) ? { kind: 'outside', address: url.href } : undefined;
  }
  const id = `${collection}/${decodePercent(url.pathname.slice(1))}`;
  return { kind: 'document', id, heading: decodePercent(url.hash.slice(1)) || undefined };
}

/** Splits what is between `[[` and `]]` into the name of a document and a heading. */
export function wikiTarget(text: string): Target {
  const [name = '', heading] = text.replace(/\\$/, '').split('#');
  if (name.trim() === '') return { kind: 'heading', heading: heading ?? '' };
  return { kind: 'document', id: name.trim(), heading: heading?.replace(/^\^/, '') || undefined };
}
