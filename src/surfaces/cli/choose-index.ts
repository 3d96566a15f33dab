/** Chooses the index for a command, possibly the index of a parent folder. Explains why an answer has no documents. */
import { existsSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, parse, relative, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { OpenOptions } from '../../engine/api.ts';
import { noIndexOf, requireOutside, requireRoot } from '../../engine/check-roots.ts';
import type { Config } from '../../engine/config/config.ts';
import { CONFIG_FILE } from '../../engine/config/config-file.ts';
import { locateIndex } from '../../engine/config/locate-index.ts';
import {
  archiveAbove,
  isArchive,
  isFolder,
  isInArchive,
  pathInside,
  realPath,
} from '../../engine/path-inside.ts';
import type { Operation } from '../operations/operation.ts';
import { typedPlaces } from './paths.ts';

type Note = (line: string) => void;

export interface ChosenIndex {
  readonly open: OpenOptions;
  /** Absolute paths of the folders and files to which the command is limited; absent for the whole index. */
  readonly within?: readonly string[];
}

/**
 * Chooses the index of a command.
 * @param input as typed. If its paths lie in the index of another folder, that index may be chosen
 * @param operation if it takes filters, it may be limited to a part of an index
 * @param note called with a line that names the index, if it is the index of another folder
 * @throws DocfuseError `not_found` without an index to read; if no index contains the document or the path of a filter; if a
 * root is neither on disk nor in the index; `usage` for an index among its documents
 */
export async function chooseIndex(
  asked: OpenOptions,
  input: Readonly<Record<string, unknown>>,
  operation: Operation,
  note: Note,
): Promise<ChosenIndex> {
  const narrows = 'filters' in operation.input.shape;
  const { config, indexPath, published } = locateIndex(asked);
  noteUnread(asked, config, note);
  const isThere = existsSync(indexPath);
  const above = isThere ? undefined : await holding(asked);
  const { collections, indexPath: place } = config.places;
  if (!asked.roots && place.source === 'default') {
    const roots = above?.roots ?? (isThere ? config.collections.map(({ root }) => root) : []);
    const elsewhere = await chooseByPlaces(asked, input, roots, collections.source === 'default', note);
    if (elsewhere) return elsewhere;
    if (!isThere && !above && input.query === undefined) await noteBelow(config, note);
  }
  if (!above && !isThere && !published && operation.needsIndex) {
    const archive =
      input.document !== undefined &&
      archiveAbove(resolve(asked.cwd ?? process.cwd(), String(input.document)));
    const roots = config.collections.map(({ root }) => root);
    for (const root of archive ? [archive] : roots) requireRoot(root);
    if (place.source !== 'default') requireOutside(indexPath, roots);
    throw noIndexOf(roots);
  }
  if (!above) {
    if (!isThere && !asked.roots && collections.source === 'default')
      requireMeant(operation, input, asked.cwd);
    return { open: asked };
  }
  const { roots, within } = above;
  const open = { ...asked, roots };
  const gone = within.filter((each) => !existsSync(each));
  for (const path of await withoutDocuments(open, gone)) requireRoot(path);
  const narrowed = narrows ? `, narrowed to ${within.map((path) => placeIn(roots, path)).join(', ')}` : '';
  note(`Using the index of ${roots.join(', ')}${narrowed}; --new-index makes another one.`);
  return { open, ...(narrows && { within }) };
}

/**
 * Called before a command makes an index of the working directory, because no folder is named. Refuses if the query is the name of
 * a folder, or if the working directory is the user's home or a whole drive.
 */
function requireMeant(
  { writesIndex }: Operation,
  { query }: Readonly<Record<string, unknown>>,
  cwd = process.cwd(),
): void {
  if (typeof query !== 'string' && !writesIndex) return;
  if (typeof query === 'string' && isFolder(query)) {
    const folder = typedPath(resolve(cwd, query));
    throw new DocfuseError(
      'usage',
      `“${query}” is a folder, and there is no query to search it for.`,
      `To search in that folder: docfuse search QUERY ${folder}. To search the working directory for that word: docfuse search ${folder} ./`,
    );
  }
  if (![homeOfUser(), parse(cwd).root].some((folder) => folder && realPath(folder) === realPath(cwd))) return;
  throw new DocfuseError(
    'usage',
    `${cwd} has no index yet, and all of its files would be read.`,
    `Name a folder: docfuse ${writesIndex ? 'index' : 'search QUERY'} FOLDER. If you mean all of it: docfuse index .`,
  );
}

const NAMED_BELOW = 3;

/** Names the folders below these that have an index: a command that only reads finds nothing here. */
async function noteBelow({ collections }: Config, note: Note): Promise<void> {
  const { rootsBelow } = await import('../../engine/open-indexes.ts');
  const found = rootsBelow(collections.map(({ root }) => root));
  const named = found.slice(0, NAMED_BELOW).map(typedPath).join(', ');
  const others = found.length > NAMED_BELOW ? ' and others' : '';
  if (named)
    note(
      `Below this folder there is an index of ${named}${others}. To use it, end the command with that folder.`,
    );
}

/** Returns the home folder that the system has for the user; undefined for a user without an entry, as in some containers. */
function homeOfUser(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

/** Notes which typed folders hold a configuration that is not read: only that of the working directory or its parents is. */
function noteUnread(
  { roots = [], config, cwd = process.cwd() }: OpenOptions,
  { files }: Config,
  note: Note,
): void {
  if (config !== undefined) return;
  const read = new Set(files.map(({ file }) => realPath(file)));
  for (const file of roots.map((root) => join(root, CONFIG_FILE)))
    if (existsSync(resolve(cwd, file)) && !read.has(realPath(resolve(cwd, file))))
      note(`${file} is not read here. Run the command in that folder, or add --config ${file}.`);
}

/** Chooses the index that contains the typed paths outside `roots`. Undefined if there are no such paths or no such index. */
async function chooseByPlaces(
  asked: OpenOptions,
  input: Readonly<Record<string, unknown>>,
  roots: readonly string[],
  named: boolean,
  note: Note,
): Promise<ChosenIndex | undefined> {
  const cwd = asked.cwd ?? process.cwd();
  const isIn = (folder: string) => (path: string) => pathInside(folder, path) !== undefined;
  // An archive has its own index, even if it is in a folder that has an index.
  const isHeld = (root: string) => (path: string) =>
    isIn(root)(path) && (!isInArchive(path) || isIn(archiveAbove(path)!)(root));
  const { document, path } = typedPlaces(input, cwd, named);
  const outside = [...document, ...path].filter((place) => !roots.some((root) => isHeld(root)(place)));
  if (outside.length === 0) return undefined;
  const own = { ...asked, roots: outside };
  const found = existsSync(locateIndex(own).indexPath) ? outside : (await holding(own))?.roots;
  if (found) {
    note(`Using the index of ${found.join(', ')}.`);
    return { open: { ...asked, roots: found } };
  }
  const archive = document.filter(isInArchive).map(archiveAbove)[0];
  // A path inside the working directory is no error, because the working directory will be indexed.
  const missing = archive ?? path.find((place) => outside.includes(place) && !isIn(cwd)(place));
  if (missing === undefined) return undefined;
  throw new DocfuseError(
    'not_found',
    `No index holds ${missing}.`,
    archive
      ? `Index it: docfuse index ${typedPath(archive)}.`
      : 'Index the folder that contains it: docfuse index FOLDER.',
  );
}

/** Finds the index of a folder above these folders. Call it only if needed: it loads the code that opens databases. */
async function holding(options: OpenOptions) {
  const { indexHolding } = await import('../../engine/open-indexes.ts');
  return indexHolding(options);
}

/** The path relative to the root if there is only one root, otherwise the whole path. */
function placeIn([root, ...others]: readonly string[], path: string): string {
  return others.length > 0 ? path : pathInside(root!, path) || path;
}

/** Adds a notice to an answer without documents: the reason is an archive that is not searched, or a path in `within`. */
export async function explainNothing<Answer extends Readonly<Record<string, unknown>>>(
  answer: Answer,
  { open, within = [] }: ChosenIndex,
): Promise<Answer> {
  const { total, stats, index } = answer as {
    readonly total?: unknown;
    readonly stats?: { after_filters?: number };
    readonly index?: { documents?: number };
  };
  const named = stats && index?.documents === 0 && archivesIn(open);
  if (named)
    return {
      ...answer,
      notice: `The index holds no documents. An archive is searched if you name it: docfuse search QUERY ${named}.`,
    };
  if (total !== 0 && stats?.after_filters !== 0) return answer;
  const there = within.filter((each) => existsSync(each));
  const [path] = await withoutDocuments(open, there);
  if (path === undefined) return answer;
  const { roots = [] } = open;
  const place = relative(process.cwd(), path) || path;
  const notice = `The index of ${roots.join(', ')} has no documents below ${place}: an ignore file or a setting leaves it out, or it holds no Markdown; --new-index makes a separate index.`;
  return { ...answer, notice };
}

/** Returns at most three archives in the folders of an index, as arguments to type. Indexing a folder leaves its archives out. */
function archivesIn(open: OpenOptions): string {
  return locateIndex(open)
    .config.collections.filter(({ root }) => isFolder(root))
    .flatMap(({ root }) => readdirSync(root).map((name) => join(root, name)))
    .filter(isArchive)
    .slice(0, 3)
    .map(typedPath)
    .join(' ');
}

function typedPath(path: string): string {
  const typed = relative(process.cwd(), path);
  return /^[\w./-]+$/.test(typed) ? typed : `"${typed}"`;
}

async function withoutDocuments(options: OpenOptions, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const { open } = await import('../../engine/open.ts');
  await using index = await open(options);
  const totals = await Promise.all(paths.map((path) => index.list({ filters: { path: [path] }, limit: 1 })));
  return paths.filter((_, place) => totals[place]!.total === 0);
}
