/** Walks a folder tree and finds the files of a collection: each file once, and none outside the root. */
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ListOptions, SkippedFile, SourceFile } from '../../core/ports.ts';
import { compareText } from '../../core/text/compare-text.ts';
import { createChoice, isCacheFolder } from './choose-files.ts';
import type { FileRules } from './file-rules.ts';
import {
  asFolder,
  type IgnoreLevel,
  isIgnoreFile,
  readRules,
  rulesAbove,
  withRulesOf,
} from './ignore-files.ts';
import type { QuickStat } from './quick-stat.ts';
import { isInside, rootEmpty, rootUnreadable, tooLarge, unreadable } from './read-bytes.ts';

/** After this number of files, other work has its turn, such as requests to a server. */
const MAX_AT_ONCE = 500;

export interface WalkOptions extends ListOptions, Omit<FileRules, 'textOf'> {
  /** Absolute, without symbolic links. */
  readonly root: string;
  readonly onSkip: (file: SkippedFile) => void;
  readonly quickStat: QuickStat;
  readonly signal?: AbortSignal | undefined;
}

interface Folder {
  /** Relative to the root, with `/` at the end; empty for the root. */
  readonly path: string;
  /** Absolute, without symbolic links; differs from `path` below a followed link. */
  readonly real: string;
  readonly levels: readonly IgnoreLevel[];
}

/**
 * Returns files in order of their paths. Links are followed last, so a file inside the root keeps its own path. Each folder is
 * walked once, so a loop of links ends. With `within`, only files of that part are returned, and only that part is walked unless
 * the walk meets a link: the target of the link may already have a path in another part.
 */
export async function walk(options: WalkOptions): Promise<readonly SourceFile[]> {
  const { within } = options;
  if (!within) return (await walkTree(options)).files;
  const skipped: SkippedFile[] = [];
  const near = await walkTree({ ...options, onSkip: (file) => skipped.push(file) });
  if (!near.metLink) {
    for (const file of skipped) options.onSkip(file);
    return near.files;
  }
  const { within: _, ...everything } = options;
  const { files } = await walkTree({
    ...everything,
    onSkip: (file) => within.covers(file.path) && options.onSkip(file),
  });
  return files.filter(({ path }) => within.covers(path));
}

async function walkTree(options: WalkOptions) {
  const { root, maxBytesOf, onSkip, signal, within, mustHold, onFolder, quickStat } = options;
  const { entersFolder, takesFile } = createChoice(asFolder(root), options);
  const files: SourceFile[] = [];
  const links: Omit<Folder, 'real'>[] = [];
  const seen = new Set<string>();

  await walkFolder({ path: '', real: root, levels: await rulesAbove(root) });
  if (within && links.length > 0) return { files: [], metLink: true };
  links.sort(byPath);
  // The list grows during the loop: linked folders may contain links.
  for (const link of links) await followLink(link);
  return { files: files.sort(byPath), metLink: links.length > 0 };

  async function walkFolder(folder: Folder): Promise<void> {
    signal?.throwIfAborted();
    if (seen.has(folder.real)) return;
    seen.add(folder.real);
    onFolder?.({ path: folder.path.slice(0, -1), place: folder.real });
    const entries = await readFolder(folder);
    if (mustHold && folder.path === '' && entries.length === 0) throw rootEmpty(root);
    const names = new Set(entries.map((entry) => entry.name));
    if (folder.path !== '' && isCacheFolder(names)) return;
    const place = join(root, folder.path);
    const read = (name: string) => readRules(place, name, root);
    const levels = await withRulesOf(place, names, folder.levels, read, (file) =>
      onSkip({ ...file, path: folder.path + file.path }),
    );
    const start = folder.real.endsWith(sep) ? folder.real : folder.real + sep;
    const found: Promise<void>[] = [];
    const folders: Folder[] = [];
    for (const entry of entries) {
      const path = folder.path + entry.name;
      const real = start + entry.name; // `join` would take a tenth of the walk
      const isMeant = within === undefined || within.covers(path);
      if (!isMeant && (entry.isFile() || !within.leadsInto(path))) continue;
      if (entry.isDirectory() && entersFolder(path, entry.name, names, levels)) {
        folders.push({ path: `${path}/`, real, levels });
      } else if (entry.isFile() && !seen.has(real) && takesFile(path, levels)) {
        found.push(addFile(path, real));
        if (found.length % MAX_AT_ONCE === 0) await setImmediate();
      } else if (entry.isSymbolicLink() && !isIgnoreFile(entry.name)) {
        links.push({ path, levels });
      }
    }
    await Promise.all(found);
    for (const inner of folders) await walkFolder(inner);
  }

  async function readFolder(folder: Folder): Promise<readonly Dirent[]> {
    try {
      return await readdir(folder.real, { withFileTypes: true });
    } catch (error) {
      if (folder.path === '') throw rootUnreadable(root, error);
      onSkip(unreadable(folder.path.slice(0, -1), error));
      return [];
    }
  }

  async function addFile(path: string, real: string, stats?: Stats): Promise<void> {
    try {
      const { size, mtimeMs, ctimeMs } = stats ?? (await quickStat(real));
      seen.add(real);
      if (size > maxBytesOf(path)) onSkip(tooLarge(path, size, maxBytesOf(path)));
      else files.push({ path, size, modified: mtimeMs, altered: ctimeMs });
    } catch (error) {
      onSkip(unreadable(path, error));
    }
  }

  async function followLink({ path, levels }: Omit<Folder, 'real'>): Promise<void> {
    signal?.throwIfAborted();
    const name = path.slice(path.lastIndexOf('/') + 1);
    const takesAsFile = takesFile(path, levels);
    try {
      const real = await realpath(join(root, path));
      const stats = await stat(real);
      const takes = stats.isDirectory()
        ? entersFolder(path, name, new Set(), levels)
        : stats.isFile() && takesAsFile;
      if (!takes || seen.has(real)) return;
      if (!isInside(real, root)) onSkip({ path, reason: 'outside_root', detail: `leads to ${real}` });
      else if (stats.isDirectory()) await walkFolder({ path: `${path}/`, real, levels });
      else await addFile(path, real, stats);
    } catch (error) {
      if (!takesAsFile) return;
      onSkip((await leadsNowhere(path, error)) ? { path, reason: 'broken_link' } : unreadable(path, error));
    }
  }

  /** Whether the link exists, but its target does not. False if the link itself is missing: its drive may be unplugged. */
  async function leadsNowhere(path: string, error: unknown): Promise<boolean> {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP') return false;
    const link = await lstat(join(root, path)).catch(() => undefined);
    return link?.isSymbolicLink() === true;
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareText(a.path, b.path);
}
