/** Refuses an untrusted repository that would make git read files elsewhere or wait forever. */
import {
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { firstLine, MAX_BYTES, plainText, type Repository, realpath } from './find-repository.ts';
import { isInside } from './read-bytes.ts';

const MAX_ENTRIES = 1_000_000;
/** Files that git reads completely, so their size is limited. Git reads or maps only parts of other files. */
const READ_WHOLE =
  /^(?:HEAD|config(?:\.worktree)?|commondir|gitdir|shallow|info[\\/](?:grafts|attributes)|refs[\\/].+)$/;
/** Links in this folder may lead anywhere, because git is run without hooks. */
const HOOKS = /^hooks(?:[\\/]|$)/;
/** Files whose content can lead git elsewhere. No option of git prevents that. */
const LEADS_AWAY = [
  ['config', /\[include/i, 'includes other files'],
  ['config.worktree', /\[include/i, 'includes other files'],
  ['objects/info/alternates', /\S/, 'names objects of another repository'],
  ['reftable/tables.list', /[\\/]/, 'names tables in another folder'],
] as const;

/**
 * Checks that a repository lies inside its folder: a copied folder must not show the history of another repository. The git
 * folder of a worktree or submodule may lie in the repository that it belongs to.
 * @throws DocfuseError `not_found` naming a file that leads outside the folder, or is a pipe or a device
 */
export function requireInside({ gitFolder, common, top }: Repository): void {
  const home = isWorktreeOf(gitFolder, common, top) ? common : (superproject(gitFolder, top) ?? top);
  const folders = [...new Set([gitFolder, common])];
  try {
    for (const folder of folders) requireWithin(home, top, folder);
    for (const folder of folders) walk(home, folder);
    const names = join(top, '.mailmap');
    const stats = unlessGone(() => lstatSync(names));
    if (stats && requirePlain(names, stats, true)) requireWithin(top, names, realpathSync.native(names));
    for (const folder of folders)
      for (const [name, pattern, problem] of LEADS_AWAY) {
        const file = join(folder, name);
        if (pattern.test(unlessGone(() => readFileSync(file, 'utf8')) ?? ''))
          throw new Error(`${file} ${problem}`);
      }
  } catch (error) {
    throw new DocfuseError(
      'not_found',
      `${(error as Error).message}, so the history of ${top} is not read.`,
      `If you trust the author of this repository, add ${JSON.stringify(top)} to the list "trust" in your own docfuse.toml.`,
      { cause: error },
    );
  }
}

function isWorktreeOf(gitFolder: string, common: string, top: string): boolean {
  const back = firstLine(join(gitFolder, 'gitdir'));
  return (
    back !== undefined && isInside(gitFolder, common) && realpath(dirname(resolve(gitFolder, back))) === top
  );
}

/** Returns the folder of the parent repository: it contains the submodule and, in `.git/modules`, the submodule's git folder. */
function superproject(gitFolder: string, top: string): string | undefined {
  const folder = gitFolder.split(`${sep}.git${sep}modules${sep}`, 1)[0]!;
  if (folder === gitFolder || !isInside(top, folder)) return undefined;
  const settings = ['config', 'config.worktree'].map((name) => plainText(join(gitFolder, name)) ?? '');
  const back = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/im.exec(settings.join('\n'))?.[1];
  return back !== undefined && realpath(resolve(gitFolder, back)) === top ? folder : undefined;
}

/** Checks all files, because a symbolic ref may name any file. Links in paths are not resolved, because git uses these paths. */
function walk(home: string, root: string): void {
  const linked = new Set<string>();
  const folders = [root];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const place = folder;
    for (const entry of unlessGone(() => readdirSync(place, { withFileTypes: true })) ?? []) {
      if (++count > MAX_ENTRIES) throw new Error(`${root} holds more than ${MAX_ENTRIES} files`);
      const path = join(place, entry.name);
      const name = path.slice(root.length + 1);
      const kind = requirePlain(path, entry, READ_WHOLE.test(name));
      const real = kind && entry.isSymbolicLink() ? realpathSync.native(path) : path;
      if (!HOOKS.test(name)) requireWithin(home, path, real);
      else if (!isInside(real, home)) continue;
      if (!kind?.isDirectory() || linked.has(real)) continue;
      if (real !== path) linked.add(real);
      folders.push(path);
    }
  }
}

/** @returns the file after following links; undefined for a broken link */
function requirePlain(path: string, entry: Dirent | Stats, isReadWhole: boolean): Dirent | Stats | undefined {
  const isFollowed = entry.isSymbolicLink() || (isReadWhole && entry.isFile());
  const kind = isFollowed ? unlessGone(() => statSync(path)) : entry;
  if (kind?.isFIFO() || kind?.isCharacterDevice() || kind?.isBlockDevice())
    throw new Error(`${path} is a pipe or a device`);
  if (isReadWhole && kind?.isFile() && (kind as Stats).size > MAX_BYTES)
    throw new Error(`${path} is larger than ${MAX_BYTES / 2 ** 20} MiB`);
  return kind;
}

function requireWithin(home: string, path: string, real: string): void {
  if (!isInside(real, home)) throw new Error(`${path} leads to ${real}, outside this folder`);
}

/** @returns undefined if the file is gone: git may pack objects meanwhile, which deletes their files */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
