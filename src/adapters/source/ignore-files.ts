/** Reads the ignore files of a folder tree, `.gitignore`, `.ignore` and `.docfuseignore`, and applies their rules as git does. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { SkippedFile } from '../../core/ports.ts';
import { type IgnoreRule, ignoreRules } from './ignore-rules.ts';
import { isInside, readBytes, unreadable } from './read-bytes.ts';

/** In ascending order of precedence within one folder. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.docfuseignore'] as const;

/** Maximum size of an ignore file in bytes; files written by hand are far smaller. */
export const MAX_RULES_BYTES = 1024 * 1024;

export function isIgnoreFile(name: string): boolean {
  return (IGNORE_FILES as readonly string[]).includes(name);
}

/** The rules of one folder. Lists of levels start with the outermost folder. */
export interface IgnoreLevel {
  /** Absolute, with `/` at the end. */
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

/** Result of ignore files for a path: left out, kept by a negated rule, or no rule matches. */
export type Verdict = 'ignored' | 'kept' | 'none';

/**
 * Decides by the deepest folder that has a matching rule.
 * @param path absolute, with `/`. The caller knows that no folder above it is ignored
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
 * Adds the rules of `folder` to the rules of the folders above.
 * @param folder absolute
 * @param names all names in the folder
 * @param read reads the ignore file with this name in the folder
 * @param onUnreadable called for an ignore file that cannot be read; `path` is its name
 */
export async function withRulesOf(
  folder: string,
  names: ReadonlySet<string>,
  levels: readonly IgnoreLevel[],
  read: (name: string) => Promise<Uint8Array | SkippedFile>,
  onUnreadable: (file: SkippedFile) => void,
): Promise<readonly IgnoreLevel[]> {
  const contents: string[] = [];
  for (const name of IGNORE_FILES.filter((file) => names.has(file))) {
    const bytes = await read(name);
    // The decoder removes a byte order mark.
    if (bytes instanceof Uint8Array) contents.push(new TextDecoder().decode(bytes));
    else onUnreadable(bytes);
  }
  if (contents.length === 0) return levels;
  return [...levels, { folder: asFolder(folder), rules: ignoreRules(contents.join('\n')) }];
}

/**
 * Reads the rules of the folders above `root`, up to the top of its repository. Returns none outside a repository. Drops the
 * rules of a folder if they exclude the root or a parent of the root: the user asked for this root.
 */
export async function rulesAbove(root: string): Promise<readonly IgnoreLevel[]> {
  let levels: readonly IgnoreLevel[] = [];
  const folders = repositoryFolders(root);
  for (const folder of folders) {
    const names = new Set(IGNORE_FILES.filter((name) => existsSync(join(folder, name))));
    const read = (name: string) => readRules(folder, name, folders[0]!);
    levels = await withRulesOf(folder, names, levels, read, () => {});
  }
  return levels.filter((level) => !hides(level, withSlashes(root)));
}

/** Whether the rules of one folder exclude the folder `below`, or a folder between the two. */
function hides(level: IgnoreLevel, below: string): boolean {
  const names = below.slice(level.folder.length).split('/');
  const paths = names.map((_, index) => level.folder + names.slice(0, index + 1).join('/'));
  return paths.some((path) => verdict([level], path, true) === 'ignored');
}

/** @param root without symbolic links; an ignore file that is a link to a file outside the root is not read */
export async function readRules(
  folder: string,
  name: string,
  root: string,
): Promise<Uint8Array | SkippedFile> {
  try {
    const real = await realpath(join(folder, name));
    if (isInside(real, root)) return await readBytes(real, name, MAX_RULES_BYTES);
    return { path: name, reason: 'unreadable', detail: `leads to ${real}, outside the root` };
  } catch (error) {
    return unreadable(name, error);
  }
}

/** Replaces the system's separator by `/`. */
function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

export function asFolder(path: string): string {
  return `${withSlashes(path).replace(/\/$/, '')}/`;
}

/** Returns the folders above `root`, from the folder with `.git` down; empty if `root` has `.git` or is in no repository. */
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
