/** The ignore files of a folder tree, `.gitignore`, `.ignore` and `.docfuseignore`, with git's meaning. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { SkippedFile } from '../../core/ports.ts';
import { type IgnoreRule, ignoreRules } from './ignore-rules.ts';
import { isInside, readBytes, unreadable } from './read-bytes.ts';

/** In rising order of precedence within one folder. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.docfuseignore'] as const;

/** Longest ignore file; files written by hand are far shorter. */
const MAX_BYTES = 1024 * 1024;

export function isIgnoreFile(name: string): boolean {
  return (IGNORE_FILES as readonly string[]).includes(name);
}

/** One folder's rules; a list of them runs from the outermost folder in. */
export interface IgnoreLevel {
  /** Absolute, with `/` at the end. */
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

/** What ignore files say about a path: left out, kept by a negated rule, or nothing. */
export type Verdict = 'ignored' | 'kept' | 'none';

/**
 * The deepest folder with something to say decides.
 * @param path absolute, with `/`; the folders it lies in have been found not to be ignored
 */
export function verdict(levels: readonly IgnoreLevel[], path: string, isFolder: boolean): Verdict {
  for (const { folder, rules } of levels.toReversed()) {
    const names = path.slice(folder.length).split('/');
    const rule = rules.findLast(({ hits }) => hits(names, isFolder));
    if (rule) return rule.isNegated ? 'kept' : 'ignored';
  }
  return 'none';
}

/**
 * The rules of `folder` added to those of the folders it lies in.
 * @param names what the folder holds
 * @param root without symbolic links; a link that leads out of it is not read
 * @param onUnreadable told of an ignore file that cannot be read; `path` is its name
 */
export async function withRulesOf(
  folder: string,
  names: ReadonlySet<string>,
  levels: readonly IgnoreLevel[],
  root: string,
  onUnreadable: (file: SkippedFile) => void,
): Promise<readonly IgnoreLevel[]> {
  const contents: string[] = [];
  for (const name of IGNORE_FILES.filter((file) => names.has(file))) {
    const bytes = await readRules(folder, name, root);
    // The decoder leaves out a byte order mark.
    if (bytes instanceof Uint8Array) contents.push(new TextDecoder().decode(bytes));
    else onUnreadable(bytes);
  }
  if (contents.length === 0) return levels;
  return [...levels, { folder: asFolder(folder), rules: ignoreRules(contents.join('\n')) }];
}

/**
 * The rules of the folders above `root` up to the repository it lies in; none outside a repository. Rules
 * that exclude the root, or a folder above it, are dropped: the user named the root.
 */
export async function rulesAbove(root: string): Promise<readonly IgnoreLevel[]> {
  let levels: readonly IgnoreLevel[] = [];
  const folders = repositoryFolders(root);
  for (const folder of folders) {
    const names = new Set(IGNORE_FILES.filter((name) => existsSync(join(folder, name))));
    levels = await withRulesOf(folder, names, levels, folders[0]!, () => {});
  }
  return levels.filter((level) => !hides(level, withSlashes(root)));
}

/** Whether the rules of one folder leave out the folder `below`, or one on the way to it. */
function hides(level: IgnoreLevel, below: string): boolean {
  const names = below.slice(level.folder.length).split('/');
  const paths = names.map((_, index) => level.folder + names.slice(0, index + 1).join('/'));
  return paths.some((path) => verdict([level], path, true) === 'ignored');
}

async function readRules(folder: string, name: string, root: string): Promise<Uint8Array | SkippedFile> {
  try {
    const real = await realpath(join(folder, name));
    if (isInside(real, root)) return await readBytes(real, name, MAX_BYTES);
    return { path: name, reason: 'unreadable', detail: `leads to ${real}, outside the root` };
  } catch (error) {
    return unreadable(name, error);
  }
}

/** A path of this system with `/`. */
export function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** A folder's path with one `/` at the end. */
function asFolder(path: string): string {
  return `${withSlashes(path).replace(/\/$/, '')}/`;
}

/** From the folder that holds `.git` down to the one above `root`. */
function repositoryFolders(root: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = root; !existsSync(join(folder, '.git')); ) {
    const above = dirname(folder);
    if (above === folder) return [];
    folders.unshift(above);
    folder = above;
  }
  return folders;
}
