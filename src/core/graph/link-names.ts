/** How links and documents are spelled, so that a link finds its document whatever the case and the form of its accents. */
import type { Link } from '../model/document.ts';

/** An extension begins with a letter: `notes.md` has one, `release-1.2` has none. */
const EXTENSION = /\.\p{L}[\p{L}\p{N}]*$/u;
const MEDIA =
  /\.(?:apng|avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp|mp[34]|m4[av]|mov|mkv|webm|ogg|wav|flac|pdf|docx?|xlsx?|pptx?|odt|ods|odp|zip|t?gz|tar|7z|canvas|excalidraw|drawio)$/iu;

/** One spelling for what a reader takes for one name: NFC, lower case. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** `a/b.md` → `a/b`; a name that is nothing but an extension (`.md`) is left alone. */
export function withoutExtension(path: string): string {
  const stem = path.replace(EXTENSION, '');
  return stem === '' || stem.endsWith('/') ? path : stem;
}

/** `a/b.md` → `a`; empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The folder a document is the page of: `a/index.md` and `a/README.md` → `a`; undefined for any other document. */
export function folderShownBy(path: string): string | undefined {
  return /(?:^|\/)(?:index|readme)\.\p{L}[\p{L}\p{N}]*$/iu.test(path) ? folderOf(path) : undefined;
}

/** `a/b.md` → `b.md`. */
function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * `path` seen from `folder`, without `.` and `..`.
 * @returns undefined when it leads out of the collection
 */
export function joinPath(folder: string, path: string): string | undefined {
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of path.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

/**
 * What a link may mean, in the order to try it: the target; a name that holds `#`; percent-decoded; and for
 * `[[a|b]]`, which Dendron writes with label and target reversed, the label, and the whole as a name.
 */
export function spellings(link: Pick<Link, 'kind' | 'target' | 'anchor' | 'label'>): readonly string[] {
  const { kind, target, anchor, label } = link;
  const all = [target, `${target}#${anchor ?? ''}`];
  if (anchor !== undefined) all.push(`${target}# ${anchor}`);
  if (target.includes('%')) all.push(percentDecoded(target));
  if (label !== undefined && kind !== 'relative') {
    const reversed = label
      .replace(/^dendron:\/\/[^/]*\//u, '')
      .replace(/#.*$/su, '')
      .trim();
    all.push(...(reversed === '' ? [] : [reversed]), `${target}|${label}`);
  }
  return [...new Set(all)];
}

/**
 * A key that a spelling shares with all names it can match, and perhaps with a few more. Text after a `#` is
 * left out: it may be an anchor or part of the name.
 */
export function handleOf(spelling: string): string {
  let end = spelling.length;
  while (spelling[end - 1] === '/') end -= 1;
  const segment = lastSegment(spelling.slice(0, end));
  const mark = segment.indexOf('#');
  return nameKey(mark === -1 ? segment : segment.slice(0, mark)).trim();
}

/**
 * Whether an unresolved link is harmless: media are not documents, and `[x](/y)` is a page of the web site on
 * which the files are published.
 */
export function leadsOutside({ kind, target }: Pick<Link, 'kind' | 'target'>): boolean {
  return MEDIA.test(target) || (kind === 'relative' && target.startsWith('/'));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
