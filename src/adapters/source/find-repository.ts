/** Finds the repository that a folder belongs to, without asking git: git would read its configuration first. */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';

export interface Repository {
  /** Where HEAD is; links are followed. */
  readonly gitFolder: string;
  /** Where objects and branches are; another folder than `gitFolder` for a worktree that was added to a repository. */
  readonly common: string;
  /** The folder of the files, or of a bare repository `gitFolder`. */
  readonly top: string;
  /** Way from `top` to the folder asked for, with `/`; empty for `top` itself. */
  readonly within: string;
}

/** Files of one path or number hold less than this, in bytes. */
const LONGEST_LINE = 64 * 1024;

/**
 * The nearest repository upward, as git finds it; a bare one counts only where it is named itself.
 * @throws DocfuseError `not_found` outside a repository, and for a file `.git` that leads to no repository
 */
export function findRepository(root: string): Repository {
  const start = realpath(root);
  if (start === undefined) {
    throw new DocfuseError(
      'not_found',
      `Git cannot read the history of ${root} (there is no such folder).`,
      'Correct the path of the collection of kind "git".',
    );
  }
  for (let top = start; ; top = dirname(top)) {
    const gitFolder = gitFolderOf(top) ?? (top === start ? top : undefined);
    const common = gitFolder && commonOf(gitFolder);
    if (common) return { gitFolder, common, top, within: relative(top, start).split(sep).join('/') };
    if (top === dirname(top)) break;
  }
  throw new DocfuseError(
    'not_found',
    `${root} is not in a git repository.`,
    'Correct the path of the collection of kind "git", or leave its kind out to read files.',
  );
}

/**
 * A folder that came from somewhere must not show the history of another repository of yours.
 * @throws DocfuseError `not_found` where the files of the repository lie outside its folder, but for a worktree or submodule that
 * the other repository knows
 */
export function requireInside(repository: Repository): void {
  const { gitFolder, common, top } = repository;
  const home = homeOf(repository);
  const away = [gitFolder, common, join(common, 'objects'), join(common, 'refs')]
    .map((place) => realpath(place) ?? place)
    .find((place) => !isInside(home, place));
  if (away !== undefined) throw leadsOutside(top, away);
}

/** The folder in which all files of a repository lie: its own, but for a worktree or submodule that the other repository knows. */
export function homeOf({ gitFolder, common, top }: Repository): string {
  return isWorktreeOf(gitFolder, common, top) ? common : (superproject(gitFolder, top) ?? top);
}

export function leadsOutside(top: string, away: string): DocfuseError {
  return new DocfuseError(
    'not_found',
    `The repository of ${top} leads to ${away}, outside this folder, so its history is not read.`,
    `Give the path of that repository itself, or add ${JSON.stringify(top)} to trust in your own docfuse.toml.`,
  );
}

/** The first line of a short, plain file; undefined where there is none. */
function firstLine(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > LONGEST_LINE) return undefined;
  return readFileSync(file, 'utf8').split('\n', 1)[0]!.trimEnd();
}

function gitFolderOf(top: string): string | undefined {
  const place = join(top, '.git');
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return realpath(place);
  if (!stats?.isFile()) return undefined;
  const target = /^gitdir: (.+)/.exec(firstLine(place) ?? '')?.[1];
  const gitFolder = target && realpath(resolve(top, target));
  if (gitFolder && commonOf(gitFolder)) return gitFolder;
  throw new DocfuseError(
    'not_found',
    `${place} leads to no git repository${target ? `: ${target}` : ''}.`,
    'Repair it with git worktree repair, or remove the collection of kind "git".',
  );
}

/** @returns undefined for a folder that is not a git folder */
function commonOf(gitFolder: string): string | undefined {
  if (!lstatSync(join(gitFolder, 'HEAD'), { throwIfNoEntry: false })) return undefined;
  const written = firstLine(join(gitFolder, 'commondir'));
  const common = written === undefined ? gitFolder : realpath(resolve(gitFolder, written));
  const isCommon = common && ['objects', 'refs'].every((name) => isFolder(join(common, name)));
  return isCommon ? common : undefined;
}

function isWorktreeOf(gitFolder: string, common: string, top: string): boolean {
  const back = firstLine(join(gitFolder, 'gitdir'));
  return (
    back !== undefined && isInside(common, gitFolder) && realpath(dirname(resolve(gitFolder, back))) === top
  );
}

/** The folder that holds both a submodule and, in its own repository, that of the submodule. */
function superproject(gitFolder: string, top: string): string | undefined {
  const folder = gitFolder.split(`${sep}.git${sep}modules${sep}`, 1)[0]!;
  return folder !== gitFolder && isInside(folder, top) ? folder : undefined;
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function realpath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
