/** Spellings of links and documents. Case and the Unicode form of accents do not matter in links. */
import type { Link } from '../model/document.ts';
import { decodePercent } from '../text/anchor-name.ts';
import { folderOf } from '../text/paths.ts';

/** File extension. It begins with a letter: `notes.md` has an extension, `release-1.2` does not. */
const EXTENSION = /\.\p{L}[\p{L}\p{N}]*$/u;
const MEDIA =
  /\.(?:apng|avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp|mp[34]|m4[av]|mov|mkv|webm|ogg|wav|flac|pdf|docx?|xlsx?|pptx?|odt|ods|odp|zip|t?gz|tar|7z|canvas|excalidraw|drawio)$/iu;

/** Returns the key under which a name is compared: Unicode NFC, in lower case. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Removes the extension: `a/b.md` → `a/b`. A name that is only an extension (`.md`) is not changed. */
export function withoutExtension(path: string): string {
  const stem = path.replace(EXTENSION, '');
  return stem === '' || stem.endsWith('/') ? path : stem;
}

/** Returns the folder that a document describes: `a/index.md` and `a/README.md` → `a`; undefined for other documents. */
export function folderShownBy(path: string): string | undefined {
  return /(?:^|\/)(?:index|readme)\.\p{L}[\p{L}\p{N}]*$/iu.test(path) ? folderOf(path) : undefined;
}

/** Returns the file name of a path: `a/b.md` → `b.md`. */
function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Returns the names that a link may mean, in the order to try them: the target; target and anchor as one name with `#`; the
 * target percent-decoded. For `[[a|b]]` also the label, then `a|b` as one name: Dendron writes both in reverse order, and
 * `wikilinkParts` knows only some of its names.
 */
export function spellings(link: Pick<Link, 'kind' | 'target' | 'anchor' | 'label'>): readonly string[] {
  const { kind, target, anchor, label } = link;
  const all = [target, `${target}#${anchor ?? ''}`];
  if (anchor !== undefined) all.push(`${target}# ${anchor}`);
  if (target.includes('%')) all.push(decodePercent(target));
  if (label !== undefined && kind !== 'relative') {
    const reversed = label.replace(/#.*$/su, '').trim();
    all.push(...(reversed === '' ? [] : [reversed]), `${target}|${label}`);
  }
  return [...new Set(all)];
}

/**
 * Returns a key that a spelling shares with every name that it may mean. Other names may have the same key. Text from `#` on is
 * left out, because it may be an anchor.
 */
export function handleOf(spelling: string): string {
  let end = spelling.length;
  while (spelling[end - 1] === '/') end -= 1;
  const segment = lastSegment(spelling.slice(0, end));
  const mark = segment.indexOf('#');
  return nameKey(mark === -1 ? segment : segment.slice(0, mark)).trim();
}

/**
 * Whether a link means something other than a document, so that it is not broken: a media file, or a page of the web site where
 * the files are published (`[x](/y)`).
 */
export function leadsOutside({ kind, target }: Pick<Link, 'kind' | 'target'>): boolean {
  return MEDIA.test(target) || (kind === 'relative' && target.startsWith('/'));
}
