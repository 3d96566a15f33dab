/** Looks at what git would open: nothing that makes it wait or read without end, and nothing of another repository. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { homeOf, isInside, leadsOutside, type Repository } from './find-repository.ts';

/** Git opens nothing in these for what it is asked here, and honest links in them lead anywhere. */
const UNREAD: ReadonlySet<string> = new Set(['hooks', 'lfs', 'annex', 'modules']);
/** Git reads these as a whole, or keeps all of them, and what lies in `refs`; it maps or seeks in others. */
const READ_WHOLE =
  /^(?:HEAD|config(?:\.worktree)?|commondir|gitdir|shallow|grafts|attributes|alternates|\.mailmap)$/;
/** In bytes. */
const LONGEST = 16 * 1024 * 1024;

/** What is known on the way through the files of a repository. */
interface Walk {
  readonly repository: Repository;
  /** Where links, other objects and included settings may lead; absent: anywhere. */
  readonly home?: string;
  /** Real paths of folders that were looked at. */
  readonly seen: Set<string>;
}

/** @throws DocfuseError `not_found` naming the file */
export function requirePlainFiles(repository: Repository, trusted: boolean): void {
  const { gitFolder, common, top } = repository;
  const walk: Walk = { repository, seen: new Set(), ...(!trusted && { home: homeOf(repository) }) };
  requirePlain(join(top, '.mailmap'), { ...walk, home: top });
  for (const folder of new Set([gitFolder, common])) {
    walkFolder(folder, walk, UNREAD);
    for (const name of ['config', 'config.worktree']) requirePlainIncludes(join(folder, name), walk);
  }
  requirePlainAlternates(join(common, 'objects'), walk);
}

function walkFolder(folder: string, walk: Walk, unread?: ReadonlySet<string>): void {
  const real = realpath(folder);
  if (real === undefined || walk.seen.has(real)) return;
  walk.seen.add(real);
  for (const entry of entriesOf(folder)) {
    if (unread?.has(entry.name)) continue;
    const file = join(folder, entry.name);
    if (entry.isDirectory() || (requirePlain(file, walk, entry) && statOf(file)?.isDirectory()))
      walkFolder(file, walk);
  }
}

interface Kind {
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

/** @returns whether it is a link */
function requirePlain(file: string, { home, repository }: Walk, kind?: Kind): boolean {
  const isLink = kind?.isSymbolicLink() ?? true;
  const isWhole = READ_WHOLE.test(basename(file)) || /[\\/]refs[\\/]/.test(file);
  if (kind?.isFile() && !isWhole) return false;
  const stats = statOf(file);
  if (stats?.isFIFO() || stats?.isCharacterDevice() || stats?.isBlockDevice())
    throw refused(file, 'a pipe or a device');
  if (stats?.isFile() && isWhole && stats.size > LONGEST) throw refused(file, 'too long');
  const real = isLink ? realpath(file) : undefined;
  if (home && real !== undefined && !isInside(home, real)) throw leadsOutside(repository.top, real);
  return isLink;
}

/** Objects may lie in other folders, too, which may name further ones. */
function requirePlainAlternates(objects: string, walk: Walk): void {
  for (const line of linesOf(join(objects, 'info', 'alternates'))) {
    const other = realpath(resolve(objects, line));
    // Git unquotes a line in quotes.
    if (walk.home && (line.startsWith('"') || (other && !isInside(walk.home, other)))) {
      throw leadsOutside(walk.repository.top, other ?? line);
    }
    if (other === undefined || walk.seen.has(other)) continue;
    walkFolder(other, walk);
    requirePlainAlternates(other, walk);
  }
}

const INCLUDES = /\[\s*include(?:if)?\b[^\]]*\]([^[]*)/gi;

/** Settings that the configuration takes in from elsewhere: files of the repository or of the user, simply written. */
function requirePlainIncludes(config: string, walk: Walk, depth = 0): void {
  const { home } = walk;
  if (!home || !statOf(config)?.isFile()) return;
  for (const [, section] of readFileSync(config, 'utf8').matchAll(INCLUDES)) {
    for (const [, written] of section!.matchAll(/^\s*path\b(.*)$/gim)) {
      const path = /^\s*=\s*("?)([^"\\#;]+)\1\s*$/.exec(written!)?.[2]?.trim();
      const file = path && resolve(dirname(config), path.replace(/^~(?=\/)/, homedir()));
      const real = file && realpath(file);
      if (path && real === undefined) continue;
      const isOurs = real && (isInside(home, real) || isInside(homedir(), real)) && statOf(real)?.isFile();
      if (!isOurs || depth > 10)
        throw refused(config, `a configuration that includes ${path ?? written!.trim()}`);
      requirePlainIncludes(real, walk, depth + 1);
    }
  }
}

function refused(file: string, what: string): DocfuseError {
  return new DocfuseError(
    'not_found',
    `${file} is ${what}, so git is not asked for the history there.`,
    'Git makes no such file: find out who made this repository before you use it.',
  );
}

function linesOf(file: string): readonly string[] {
  return statOf(file)?.isFile() ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Links are followed, as git follows them. */
function statOf(file: string) {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function realpath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
