/** A folder of text files on disk as a source of documents. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Source } from '../../core/ports.ts';
import { folderOf } from '../../core/text/paths.ts';
import { marksBuild } from './choose-files.ts';
import { createFileRules, type FileRulesOptions } from './file-rules.ts';
import { isIgnoreFile } from './ignore-files.ts';
import { createQuickStat } from './quick-stat.ts';
import { isInside, readBytes, rootUnreadable, tooLarge, unreadable } from './read-bytes.ts';
import { walk } from './walk.ts';

/**
 * The source leaves out ignored and hidden files, `node_modules` and build folders (walk.ts, choose-files.ts). A root that is a
 * single file is read, whatever its name. `list` and `read` throw DocfuseError `not_found` if the root is missing.
 */
export function createFolderSource(options: FileRulesOptions): Source {
  const { root } = options;
  const rules = createFileRules(options);
  const { isIncluded, isExcluded, maxBytesOf, textOf } = rules;
  const quickStat = createQuickStat();
  // Each listing locates the root again; `read` uses the result.
  let located: Promise<Place> | undefined;
  let single: Place['only'];

  return {
    async *list(onSkip, signal, listOptions) {
      located = locate(root);
      const { folder, only } = await located;
      single = only;
      if (only === undefined) {
        yield* await walk({ ...rules, root: folder, onSkip, quickStat, signal, ...listOptions });
        return;
      }
      // Watch both folders: a changed link is an event in the link's folder; a changed target is an event in the target's folder.
      for (const place of new Set([folder, dirname(only.real)])) listOptions?.onFolder?.({ path: '', place });
      if (listOptions?.within?.covers(only.name) === false) return;
      const { size, mtimeMs, ctimeMs } = await stat(only.real);
      if (size > maxBytesOf(only.name)) onSkip(tooLarge(only.name, size, maxBytesOf(only.name)));
      else yield { path: only.name, size, modified: mtimeMs, altered: ctimeMs };
    },

    touchedBy(path, isFolder) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (single) return path === single.name || path === basename(single.real) ? single.name : undefined;
      // A file with this name decides which other files are read.
      if (isIgnoreFile(name) || marksBuild(name)) return folderOf(path);
      if (HIDDEN.test(path) || name === 'node_modules' || isExcluded(path)) return undefined;
      return isFolder || isIncluded(path) ? path : undefined;
    },

    async read(path, signal) {
      located ??= locate(root);
      const { folder, only } = await located;
      try {
        const real = await realpath(join(folder, path));
        const belongs = only === undefined ? isInside(real, folder) : path === only.name;
        if (!belongs) return { path, reason: 'outside_root', detail: `leads to ${real}` };
        return await textOf(path, () => readBytes(real, path, maxBytesOf(path)), signal);
      } catch (error) {
        signal?.throwIfAborted();
        return unreadable(path, error);
      }
    },
  };
}

/** Matches hidden files, and everything inside hidden folders. */
const HIDDEN = /(?:^|\/)\./;

interface Place {
  /** The folder that all paths are relative to; its own path has no symbolic links. */
  readonly folder: string;
  /** If the root is a file: its name, and its path without symbolic links. */
  readonly only?: { readonly name: string; readonly real: string };
}

async function locate(root: string): Promise<Place> {
  try {
    const real = await realpath(root);
    const stats = await stat(real);
    if (stats.isDirectory()) return { folder: real };
    if (!stats.isFile()) throw new Error('it is neither a file nor a folder');
    // Keep the name that the user gave, even if it is a link to a file elsewhere.
    return { folder: await realpath(dirname(resolve(root))), only: { name: basename(root), real } };
  } catch (cause) {
    throw rootUnreadable(root, cause);
  }
}
