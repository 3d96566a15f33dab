/** Reads commits through commands of git whose output no configuration changes. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { Commit } from './commit-text.ts';
import { findRepository, type Repository } from './find-repository.ts';
import { requireInside } from './require-inside.ts';
import { type GitOptions, runGit } from './run-git.ts';

export interface HistoryOptions {
  /** In a repository; below its top, commits that changed nothing in this folder are left out. */
  readonly root: string;
  /** Whether the user vouches for the folder: another user's repository is read, and one that leads outside. @default false */
  readonly trusted?: boolean | undefined;
  /** Git is ended after so long without output. @default one minute, ten seconds for the owner */
  readonly silenceMs?: number | undefined;
}

export interface History {
  /** Every commit that HEAD leads back to, with its time in milliseconds since 1970; none before the first one is made. */
  list(signal?: AbortSignal): Promise<readonly { readonly hash: string; readonly time: number }[]>;
  /** The folder in which git logs where HEAD has been, if it does: not in a bare repository, nor before the first commit. */
  headLog(signal?: AbortSignal): Promise<string | undefined>;
  /** In the order asked. */
  read(hashes: readonly string[]): Promise<readonly Commit[]>;
}

/** Finds the repository once: open it again to list again. */
export function openHistory({ root, trusted = false, silenceMs }: HistoryOptions): History {
  let repository: Promise<Repository> | undefined;

  async function locate(signal: AbortSignal | undefined): Promise<Repository> {
    const place = findRepository(root);
    if (trusted) return place;
    requireInside(place);
    // Git checks the owner and the user's exceptions: it refuses, or names the same folder.
    const asked = ['rev-parse', '--absolute-git-dir'];
    const gitFolder = (await runGit(place, asked, { signal, silenceMs, asUser: true })).trimEnd();
    if (realpathSync.native(gitFolder) === place.gitFolder) return place;
    throw new DocfuseError(
      'not_found',
      `Git takes ${gitFolder} for the repository of ${root}, not ${place.gitFolder}.`,
      'Try git status there, and mend what it complains about.',
    );
  }
  async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
    repository ??= locate(options.signal);
    return runGit(await repository, args, { ...options, silenceMs });
  }

  return {
    async list(signal) {
      const head = await git(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { signal, orElse: '' });
      if (head === '') return [];
      const { within } = await repository!;
      const paths = within === '' ? [] : [within];
      const lines = await git(['rev-list', '--timestamp', 'HEAD', '--', ...paths], { signal });
      return lines.split('\n').flatMap((line) => {
        const [seconds, hash] = line.split(' ');
        return hash ? [{ hash, time: Number(seconds) * 1000 }] : [];
      });
    },

    async headLog(signal) {
      const place = (await git(['rev-parse', '--git-path', 'logs'], { signal })).trimEnd();
      return existsSync(place) ? place : undefined;
    },

    async read(hashes) {
      const input = hashes.map((hash) => `${hash}\n`).join('');
      const printed = await git(SHOW_COMMITS, { input });
      const { common } = await repository!;
      return readCommits(printed, existsSync(join(common, 'shallow')));
    },
  };
}

const FIELDS = ['%H', '%P', '%aN', '%aI', '%B'];

/** Prints the commits whose hashes it reads: the fields of each, then a letter and a path for each change. */
const SHOW_COMMITS = [
  ...['diff-tree', '--stdin', '--root', '--always', '-r', '-z', '--name-status'],
  ...['--no-ext-diff', '--no-textconv', '--no-renames', '--no-color', '--no-notes'],
  ...['--encoding=UTF-8', `--format=${FIELDS.join('%x00')}`],
];

/** @param printed by `SHOW_COMMITS`; no part of a commit holds a NUL, whatever its message and files are called */
export function readCommits(printed: string, isShallow: boolean): readonly Commit[] {
  const values = printed.split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS.length < values.length; ) {
    const [hash = '', parents, author = '', date = '', message = ''] = values.slice(at, at + FIELDS.length);
    at += FIELDS.length;
    const paths: string[] = [];
    // A line end stands before the first letter. No commit is called by one letter.
    for (; /^\n?[A-Z]$/.test(values[at] ?? ''); at += 2) paths.push(values[at + 1] ?? '');
    // The oldest commits of a shallow clone look as if they had made every file.
    commits.push({ hash, author, date, message, paths: isShallow && parents === '' ? [] : paths });
  }
  return commits;
}
