/** Reads commits through git commands whose output does not depend on configuration. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { Commit } from './commit-text.ts';
import { findRepository, type Repository } from './find-repository.ts';
import { requireInside } from './require-inside.ts';
import { type GitOptions, runGit } from './run-git.ts';

export interface HistoryOptions {
  /** A folder in a repository. If it is not the top folder, only commits that changed something in it are read. */
  readonly root: string;
  /** Whether the user trusts the folder. Its repository may then belong to another user or use files elsewhere. @default false */
  readonly trusted?: boolean | undefined;
  /** Milliseconds without output after which git is killed. @default 60,000; 10,000 for the command that checks the owner */
  readonly silenceMs?: number | undefined;
}

/** Opens a history, which looks for its repository only once: open it again before each new listing. */
export function openHistory({ root, trusted = false, silenceMs }: HistoryOptions) {
  let repository: Promise<Repository> | undefined;

  async function locate(signal: AbortSignal | undefined): Promise<Repository> {
    const place = findRepository(root);
    if (trusted) return place;
    requireInside(place);
    // Git refuses if the repository belongs to another user and is not in the user's `safe.directory`.
    const command = ['rev-parse', '--absolute-git-dir'];
    const gitFolder = (await runGit(place, command, { signal, silenceMs, asUser: true })).trimEnd();
    if (realpathSync.native(gitFolder) === place.gitFolder) return place;
    throw new DocfuseError(
      'not_found',
      `In ${root}, git uses the repository ${gitFolder} instead of ${place.gitFolder}.`,
      `Run git status in ${root}, and fix the problem that it reports.`,
    );
  }
  async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
    repository ??= locate(options.signal);
    return runGit(await repository, args, { ...options, silenceMs });
  }

  return {
    /** Returns all commits reachable from HEAD, with their times in milliseconds since 1970; empty before the first commit. */
    async list(signal?: AbortSignal) {
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

    /** Returns the folder in which git logs changes of HEAD; undefined in a bare repository and before the first commit. */
    async headLog(signal?: AbortSignal) {
      const place = (await git(['rev-parse', '--git-path', 'logs'], { signal })).trimEnd();
      return existsSync(place) ? place : undefined;
    },

    /** Returns commits in the order of `hashes`. */
    async read(hashes: readonly string[]) {
      const input = hashes.map((hash) => `${hash}\n`).join('');
      const printed = await git(SHOW_COMMITS, { input });
      const { common } = await repository!;
      return readCommits(printed, existsSync(join(common, 'shallow')));
    },
  };
}

const FIELDS = ['%H', '%P', '%aN', '%aI', '%B'];

/** A git command that reads hashes from its input. For each commit it prints the fields, then a letter and a path per change. */
const SHOW_COMMITS = [
  ...['diff-tree', '--stdin', '--root', '--always', '-r', '-z', '--name-status'],
  ...['--no-ext-diff', '--no-textconv', '--no-renames', '--no-color', '--no-notes'],
  ...['--encoding=UTF-8', `--format=${FIELDS.join('%x00')}`],
];

/** Parses the output of `SHOW_COMMITS`. Its values are separated by NUL, which messages and paths cannot contain. */
export function readCommits(printed: string, isShallow: boolean): readonly Commit[] {
  const values = printed.split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS.length < values.length; ) {
    const [hash = '', parents, author = '', date = '', message = ''] = values.slice(at, at + FIELDS.length);
    at += FIELDS.length;
    const paths: string[] = [];
    // Each change is one letter and a path. A line end comes before the first change of a commit. A hash begins the next commit.
    for (; /^\n?[A-Z]$/.test(values[at] ?? ''); at += 2) paths.push(values[at + 1] ?? '');
    // In a shallow clone, the oldest commits seem to add every file: leave out their paths.
    commits.push({ hash, author, date, message, paths: isShallow && parents === '' ? [] : paths });
  }
  return commits;
}
