/** Finds the repository of a folder. Does not run git: the configuration of an untrusted repository can make it run programs. */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';

export interface Repository {
  /** The git folder, which contains HEAD; the path has no symbolic links. */
  readonly gitFolder: string;
  /** The folder of objects and branches; differs from `gitFolder` for an added worktree. */
  readonly common: string;
  /** The top folder of the working tree; for a bare repository, `gitFolder`. */
  readonly top: string;
  /** Path of the requested folder relative to `top`, with `/`; empty for `top` itself. */
  readonly within: string;
}

/** Maximum size of a file that is read, in bytes; configuration and branches are far smaller. */
export const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Finds the nearest repository, in `root` or above, as git does. A bare repository is found only if `root` is its folder.
 * @throws DocfuseError `not_found` if `root` is missing or in no repository, or if a file `.git` does not lead to a repository
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
    'Correct the path of the collection of kind "git", or remove its kind to read files instead.',
  );
}

/** Returns the content of an ordinary file; undefined if the file is missing or longer than `MAX_BYTES`. */
export function plainText(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= MAX_BYTES ? readFileSync(file, 'utf8') : undefined;
}

/** Returns the first line of an ordinary file, such as a path that git stored; undefined if `plainText` returns undefined. */
export function firstLine(file: string): string | undefined {
  return plainText(file)?.split('\n', 1)[0]?.trimEnd();
}

/** Resolves symbolic links. @returns undefined if the path does not exist */
export function realpath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
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
    `${place} does not lead to a git repository${target ? `: ${target}` : ''}.`,
    'Run `git worktree repair` in the main repository, or remove the collection of kind "git".',
  );
}

/** Returns the folder of objects and branches; undefined if `gitFolder` is not a git folder. */
function commonOf(gitFolder: string): string | undefined {
  if (!lstatSync(join(gitFolder, 'HEAD'), { throwIfNoEntry: false })) return undefined;
  const written = firstLine(join(gitFolder, 'commondir'));
  const common = written === undefined ? gitFolder : realpath(resolve(gitFolder, written));
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const isCommon = common && ['objects', 'refs'].every((name) => isFolder(join(common, name)));
  return isCommon ? common : undefined;
}
