/** Lists and deletes the indexes in the user's data folder, and finds the index that already contains a folder. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type KeptIndex, keptIndexes, removeKeptIndex } from '../adapters/store/kept-indexes.ts';
import { acquireWriteLock } from '../adapters/store/lock.ts';
import { DocfuseError } from '../core/errors.ts';
import type { OpenOptions } from './api.ts';
import { locateIndex } from './config/locate-index.ts';
import { indexesFolder } from './config/places.ts';
import { didYouMean, nearest, oneOf } from './nearest.ts';
import { readOwnFile } from './own-file.ts';
import { holds, pathInside } from './path-inside.ts';

export { acquireWriteLock, type KeptIndex };

export function listIndexes(): { readonly folder: string; readonly indexes: readonly KeptIndex[] } {
  const folder = indexesFolder();
  return { folder, indexes: keptIndexes(folder) };
}

/**
 * Deletes an index. Keeps its documents, and the judgements in its folder.
 * @param asked name of the index, the beginning of exactly one name, or the folder of the documents of an index with one folder
 * @throws DocfuseError `not_found` with the nearest name, `usage` for the beginning of several names, `index_busy`, `storage`
 */
export async function removeIndex(asked: string, cwd = process.cwd()): Promise<KeptIndex> {
  const { indexes } = listIndexes();
  const root = resolve(cwd, asked);
  const found =
    indexes.find(({ name }) => name === asked) ??
    indexes.find(({ roots }) => roots.length === 1 && roots[0] === root) ??
    beginning(asked, indexes);
  if (!found) {
    const names = indexes.map(({ name }) => name);
    throw new DocfuseError(
      'not_found',
      `There is no index ${asked}.`,
      didYouMean(nearest(asked, names), 'docfuse indexes lists all indexes.'),
    );
  }
  await removeKeptIndex(found.folder).catch((cause) => {
    const server = serverOf(found.folder);
    if (cause.code !== 'index_busy' || server === undefined) throw cause;
    const message = `A server (process ${server}) has the index ${found.name} open.`;
    throw new DocfuseError('index_busy', message, 'Stop it first.', { cause });
  });
  return found;
}

function beginning(asked: string, indexes: readonly KeptIndex[]): KeptIndex | undefined {
  const [found, ...others] = indexes.filter(({ name }) => name.startsWith(asked));
  if (!found || others.length === 0) return found;
  const names = [found, ...others].map(({ name }) => name);
  throw new DocfuseError('usage', `${names.length} indexes begin with ${asked}.`, `Write ${oneOf(names)}.`);
}

/** Returns the process that the server discovery file names, if it runs. After a crash, another process may have that number. */
function serverOf(folder: string): number | undefined {
  try {
    const { pid } = JSON.parse(String(readOwnFile(join(folder, 'server.json'), { maxBytes: 16_384 })));
    return process.kill(pid, 0) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Finds an existing index that already contains all folders of the call. If there are several, the index with the deepest root is
 * chosen. Does not search if an index is named, the configuration lists collections, or these folders have their own index.
 * @returns `roots` of that index, and `within`, the folders of the call; all absolute. Undefined if no index was found
 */
export function indexHolding(options: OpenOptions) {
  const { config, indexPath } = locateIndex(options);
  const { collections, places, files } = config;
  if (places.indexPath.source !== 'default' || !['default', 'call'].includes(places.collections.source))
    return undefined;
  if (collections.some(({ kind }) => kind !== 'folder') || existsSync(indexPath)) return undefined;
  const within = collections.map(({ root }) => root);
  const project = files.find(({ role }) => role === 'project')?.file;
  const depth = (roots: readonly string[]) =>
    Math.max(
      ...roots.filter((root) => pathInside(root, within[0]!) !== undefined).map(({ length }) => length),
    );
  const [best] = listIndexes()
    .indexes.map(({ roots }) => roots)
    .filter((roots) => within.every((path) => roots.some((root) => holds(root, path))))
    // Leaves out an index with a root above the project's configuration file: it may have been made with other settings.
    .filter((roots) => !roots.some((root) => project !== undefined && pathInside(root, dirname(project))))
    .toSorted((a, b) => depth(b) - depth(a));
  return best && { roots: best, within };
}

/** Returns the roots of the indexes below these folders, sorted. */
export function rootsBelow(folders: readonly string[]): readonly string[] {
  const roots = listIndexes().indexes.flatMap((index) => index.roots);
  const below = roots.filter((root) => folders.some((folder) => pathInside(folder, root)));
  return [...new Set(below)].sort();
}
