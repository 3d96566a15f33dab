/** Reads paths of documents as typed in the working directory, and prints them so that `path:line` can be clicked. */
import { existsSync, statSync } from 'node:fs';
import systemPath, { dirname, isAbsolute, join, type PlatformPath, relative, resolve } from 'node:path';
import { defined } from '../../core/model/defined.ts';
import { oneLine } from '../../core/text/one-line.ts';
import type { IndexLocation } from '../../engine/config/locate-index.ts';
import { isArchive, isInArchive, pathInside } from '../../engine/path-inside.ts';

type Input = Readonly<Record<string, unknown>>;
/** The parts of an input that hold paths. */
interface Typed {
  readonly document?: string;
  readonly filters?: { readonly path?: readonly string[]; readonly exclude?: readonly string[] };
}

/**
 * Returns the typed paths that name something on disk, as absolute paths. A filter path must exist or begin with `../`. Only the
 * folder of a document must exist, because its extension may be left out.
 * @param named whether to read names without `./` as paths, too
 */
export function typedPlaces(input: Input, cwd: string, named: boolean) {
  const placeOf = (given: string, isThere: (place: string) => boolean) => {
    const typed = withoutLines(given, cwd);
    const place = resolve(cwd, typed);
    if (/^\.\.(?:[\\/]|$)/.test(typed)) return [place];
    return (named || isAbsolute(typed) || typed.startsWith('.') || isInArchive(place)) && isThere(place)
      ? [place]
      : [];
  };
  const hasFolder = (place: string) =>
    isFile(place) || isInArchive(place) || (dirname(place) !== cwd && existsSync(dirname(place)));
  const exists = (place: string) => existsSync(place) || isInArchive(place);
  const { document, filters } = input as Typed;
  return {
    document: document === undefined ? [] : placeOf(document, hasFolder).filter(hasFolder),
    path: (filters?.path ?? []).flatMap((each) => placeOf(each, exists)),
  };
}

/**
 * Makes typed paths absolute, for a server that runs elsewhere. Changes only paths inside a collection. A document must be a file.
 * A filter path must begin with `./`, `../` or a collection's folder below `cwd`, or must end with `:line` or `#heading`.
 * @param system path rules of an operating system; with the separator `\\`, globs have no escapes. @default those of this system
 */
export function fromHere(
  input: Input,
  location: () => IndexLocation,
  cwd: string,
  system: PlatformPath = systemPath,
): Record<string, unknown> {
  const { document, filters } = input as Typed;
  const { path: wanted, exclude } = filters ?? {};
  if (document === undefined && !wanted && !exclude) return { ...input };
  const roots = foldersOf(location()).map(({ root }) => root);
  const isInside = (inner: string, folder: string) => pathInside(folder, inner, system) !== undefined;
  const isHeld = (path: string) => roots.some((root) => isInside(path, root));
  const place = (given: string) => {
    const typed = withoutLines(given, cwd, system);
    const pattern = system.sep === '/' ? typed : typed.replaceAll(system.sep, '/');
    const there = system.resolve(cwd, pattern);
    const isDotted = /^\.{1,2}(?:\/|$)/.test(pattern);
    const isMeant = (root: string) =>
      isInside(there, root) && (isDotted || (root !== cwd && isInside(root, cwd)));
    return (typed !== given && isHeld(there)) || roots.some(isMeant) ? there : pattern;
  };
  const file = (given: string) => {
    const typed = withoutLines(given, cwd, system);
    const there = system.resolve(cwd, typed);
    const isThere = isHeld(there) && (isFile(there) || isInArchive(there));
    return isThere ? there + given.slice(typed.length) : given;
  };
  const places = defined({ path: wanted?.map(place), exclude: exclude?.map(place) });
  return {
    ...input,
    ...(document !== undefined && { document: file(document) }),
    ...(filters && { filters: { ...filters, ...places } }),
  };
}

/** Removes `:line` or `#heading` from the end of a path if only the rest exists. Hits are printed as `path:line`. */
function withoutLines(given: string, cwd: string, { resolve: from }: PlatformPath = systemPath): string {
  const bare = given.replace(/:\d+(-\d+)?$|#[^#]+$/, '');
  return !existsSync(from(cwd, given)) && existsSync(from(cwd, bare)) ? bare : given;
}

/**
 * Limits an input to the folders `within`, or to the typed paths inside them. A path that is in none of them is read from the
 * root of its collection, as paths in JSON and document ids are.
 * @param within absolute paths
 */
export function narrowTo(
  input: Input,
  within: readonly string[],
  location: () => IndexLocation,
): Record<string, unknown> {
  const { path = [''], exclude, ...filters } = (input as Typed).filters ?? {};
  const inside = (typed: string) => {
    if (isAbsolute(typed)) return [typed];
    const here = within.map((folder) => join(folder, typed));
    const [first = ''] = typed.split('/');
    if (within.some((folder) => existsSync(join(folder, first)))) return here;
    const fromRoots = foldersOf(location()).flatMap(({ name, root }) => [
      join(root, typed),
      ...(first === name ? [join(root, typed.slice(name.length))] : []),
    ]);
    const held = fromRoots.filter((place) =>
      within.some((folder) => pathInside(folder, place) !== undefined),
    );
    return held.length > 0 ? held : here;
  };
  return {
    ...input,
    filters: { ...filters, path: path.flatMap(inside), ...(exclude && { exclude: exclude.flatMap(inside) }) },
  };
}

/**
 * Returns a function that turns a collection and a path inside it into the path to print, on one line. A commit has no file: its
 * id is printed.
 */
export function createLocate(
  location: () => IndexLocation,
): (collection: string, path: string, file?: string) => string {
  // Read only when the first path is printed: an answer without paths can be printed even if the configuration is unreadable.
  let roots: ReadonlyMap<string, string> | undefined;
  return (collection, path, file) => {
    if (file !== undefined) return oneLine(relative(process.cwd(), file) || path);
    roots ??= new Map(foldersOf(location()).map(({ name, root }) => [name, root]));
    const root = roots.get(collection);
    if (root === undefined) return oneLine(`${collection}/${path}`);
    return oneLine(
      relative(process.cwd(), isFile(root) && !isArchive(root) ? root : join(root, path)) || path,
    );
  };
}

/** Returns the collections of files. A collection of commits has no folder. */
function foldersOf({ config }: IndexLocation): IndexLocation['config']['collections'] {
  return config.collections.filter(({ kind }) => kind !== 'git');
}

/** Whether a path is a file. The root of a collection may be a file, too. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
