/**
 * Finds the document that a link points to, among the names of one collection. Case and the Unicode form of accents do not matter
 * in links.
 */
import type { CatalogDocument, Link } from '../model/document.ts';
import { decodePercent } from '../text/anchor-name.ts';
import { compareText } from '../text/compare-text.ts';
import { folderOf, joinPath } from '../text/paths.ts';

/** File extension. It begins with a letter: `notes.md` has an extension, `release-1.2` does not. */
const EXTENSION = /\.\p{L}[\p{L}\p{N}]*$/u;
const MEDIA =
  /\.(?:apng|avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp|mp[34]|m4[av]|mov|mkv|webm|ogg|wav|flac|pdf|docx?|xlsx?|pptx?|odt|ods|odp|zip|t?gz|tar|7z|canvas|excalidraw|drawio)$/iu;

export type NamedDocument = Pick<CatalogDocument, 'number' | 'path' | 'title' | 'aliases'>;

/** Returns the keys (`handleOf`) of all names of a document. A link to the document has one of these keys. */
export function handlesOf(document: NamedDocument): ReadonlySet<string> {
  const { path, title, aliases = [] } = document;
  const folder = folderShownBy(path);
  // The page of a folder, such as `index.md`, also has the folder's name. Links in or near the folder may call it `.`, `..` or `/`.
  const asFolder = folder === undefined ? [] : [folder, '.', '..', '/'];
  return new Set([path, withoutExtension(path), title, ...aliases, ...asFolder].map(handleOf));
}

/** Document numbers by `nameKey`. */
type Names = Map<string, number[]>;

export function createLinkResolver() {
  const documents = new Map<number, NamedDocument>();
  const paths: Names = new Map();
  const suffixes: Names = new Map();
  /** Pages of folders (`index.md`, `README.md`), by the path of the folder. */
  const folders: Names = new Map();
  const aliases: Names = new Map();
  const titles: Names = new Map();
  /** By spelling: cached results that do not depend on the linking document. Cleared when a document is added. */
  const known = new Map<string, number | undefined>();

  function best(names: Names, spelling: string): number | undefined {
    const found = (names.get(nameKey(spelling)) ?? []).map((number) => documents.get(number)!);
    return first(withExactCase(found, spelling).map(({ number }) => number));
  }

  /** Returns the document at a path, or the page of the folder there. A spelling that ends in `/` prefers the folder. */
  function at(path: string, spelling: string): number | undefined {
    const page = first(folders.get(nameKey(path)) ?? []);
    if (isDots(spelling)) return page;
    return spelling.endsWith('/') ? (page ?? best(paths, path)) : (best(paths, path) ?? page);
  }

  function first(numbers: readonly number[]): number | undefined {
    if (numbers.length < 2) return numbers[0];
    return numbers.reduce((a, b) => (byPath(documents.get(a)!.path, documents.get(b)!.path) <= 0 ? a : b));
  }

  function anywhere(spelling: string): number | undefined {
    const path = joinPath('', spelling.replace(/^(?:\.{0,2}\/)+/u, ''));
    if (path === undefined || path === '' || isDots(spelling)) return undefined;
    const ending = suffixes.get(nameKey(path)) ?? [];
    const isBare = !spelling.includes('/');
    return (
      at(path, spelling) ??
      (ending.length === 1 ? ending[0] : undefined) ??
      (isBare ? best(suffixes, path) : undefined) ??
      best(aliases, spelling) ??
      best(titles, spelling)
    );
  }

  return {
    add(document: NamedDocument): void {
      known.clear();
      documents.set(document.number, document);
      const note = (names: Names, key: string) => {
        const numbers = names.get(key);
        if (!numbers) names.set(key, [document.number]);
        else if (!numbers.includes(document.number)) numbers.push(document.number);
      };
      for (const path of new Set([document.path, withoutExtension(document.path)])) {
        const key = nameKey(path);
        note(paths, key);
        for (let at = -1; ; ) {
          note(suffixes, key.slice(at + 1));
          at = key.indexOf('/', at + 1);
          if (at === -1) break;
        }
      }
      const folder = folderShownBy(document.path);
      if (folder !== undefined) note(folders, nameKey(folder));
      for (const alias of document.aliases ?? []) note(aliases, nameKey(alias));
      note(titles, nameKey(document.title));
    },
    /**
     * Returns the document that a link in the document `from` points to. Tried in order: path relative to `from` → path from the
     * root → unique path suffix → base name → alias → title. A leading `/` is the root of the collection. A path to a folder means
     * its `index.md` or `README.md`.
     */
    resolve(from: string, spelling: string): number | undefined {
      if (spelling === '') return undefined;
      const near = joinPath(spelling.startsWith('/') ? '' : folderOf(from), spelling);
      const found = near === undefined ? undefined : at(near, spelling);
      if (found !== undefined) return found;
      // `../../README.md` leads out of the collection, so a document of this name inside the collection is a different one. If
      // the path also has folders, search on: it may have one `../` too many.
      if (near === undefined && /^(?:\.\.\/)+[^/]*$/.test(spelling)) return undefined;
      if (!known.has(spelling)) known.set(spelling, anywhere(spelling));
      return known.get(spelling);
    },
  };
}

/**
 * Returns the documents with the given name: by path, else by the end of a path or id, else by alias, else by title. The name is
 * not relative to a document.
 */
export function documentsNamed(
  documents: readonly CatalogDocument[],
  name: string,
): readonly CatalogDocument[] {
  const key = nameKey(name);
  const isNamed = (each: string) => nameKey(each) === key;
  const kinds: readonly ((document: CatalogDocument) => boolean)[] = [
    ({ path }) => [path, withoutExtension(path)].some(isNamed),
    ({ id }) => [id, withoutExtension(id)].some((each) => nameKey(`/${each}`).endsWith(`/${key}`)),
    ({ aliases = [] }) => aliases.some(isNamed),
    ({ title }) => isNamed(title),
  ];
  for (const isKind of kinds) {
    const found = documents.filter(isKind);
    if (found.length > 0) return withExactCase(found, name);
  }
  return [];
}

/** Returns the documents whose name has the same capital letters as `name`; all of `found` if no document has. */
function withExactCase<Document extends NamedDocument>(
  found: readonly Document[],
  name: string,
): readonly Document[] {
  const spelling = name.normalize('NFC');
  const exact = found.filter((document) => isExact(document, spelling));
  return exact.length > 0 ? exact : found;
}

/** Whether a spelling ends in `.` or `..`: it means a folder, never a file. */
function isDots(spelling: string): boolean {
  return /(?:^|\/)\.{1,2}\/*$/u.test(spelling);
}

/** Whether a document has a name with exactly this spelling. Among names that differ only in case, the exact name wins. */
function isExact({ path, title, aliases = [] }: NamedDocument, spelling: string): boolean {
  return [path, withoutExtension(path), title, ...aliases].some((name) => {
    const written = name.normalize('NFC');
    return written === spelling || written.endsWith(`/${spelling}`);
  });
}

/** Compares paths: fewer folders first, then fewer characters, then by UTF-16 units. */
function byPath(a: string, b: string): number {
  const depth = a.split('/').length - b.split('/').length;
  return depth || a.length - b.length || compareText(a, b);
}

/** Returns the key under which a name is compared: Unicode NFC, in lower case. */
function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Removes the extension: `a/b.md` → `a/b`. A name that is only an extension (`.md`) is not changed. */
function withoutExtension(path: string): string {
  const stem = path.replace(EXTENSION, '');
  return stem === '' || stem.endsWith('/') ? path : stem;
}

/** Returns the folder that a document describes: `a/index.md` and `a/README.md` → `a`; undefined for other documents. */
function folderShownBy(path: string): string | undefined {
  return /(?:^|\/)(?:index|readme)\.\p{L}[\p{L}\p{N}]*$/iu.test(path) ? folderOf(path) : undefined;
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
  const segment = spelling.slice(spelling.lastIndexOf('/', end - 1) + 1, end);
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
