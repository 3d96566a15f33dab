/** The history of a git repository as a source of documents: one document per commit reachable from HEAD. */

import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { ListOptions, SkippedFile, Source, SourceFile, SourceText } from '../../core/ports.ts';
import { type Commit, commitText } from './commit-text.ts';
import { findRepository, type Repository } from './find-repository.ts';
import { requireInside } from './require-inside.ts';
import { type GitOptions, runGit } from './run-git.ts';

/** Digits of a hash in a path. In most repositories, 12 digits are unique; 16 are unique in every known repository. */
const NAME_DIGITS = 16;
/** Max commits read at once. */
const LARGEST_BATCH = 256;
/** Factor by which each batch is larger than the batch before. */
const GROWTH = 4;
/** Max texts kept until they are read. */
const MAX_READY = 16 * LARGEST_BATCH;
/** After this number of consecutive reads in path order, the caller probably reads all commits. */
const RUN_OVER_ALL = 2;

/**
 * A commit never changes, so only new commits are read. A commit removed by a rebase or amend is missing in the next listing.
 * `list` and `read` throw DocfuseError `not_found` if git is missing or refuses, or if `root` is in no repository.
 */
export function createGitSource(options: HistoryOptions): Source {
  const { root } = options;
  let history = openHistory(options);
  let listing: ReturnType<typeof arrange> | undefined;
  const ready = new Map<string, string>();
  let batch = 1;
  /** Position of the last read commit in `byPath`. `inARow` counts the last reads that each moved one position forward. */
  let last = -1;
  let inARow = 0;
  /** Whether texts were dropped, perhaps before they were read. Commits are then read ahead in path order. */
  let overflowed = false;

  async function* list(
    _onSkip: (file: SkippedFile) => void,
    signal?: AbortSignal,
    { within, onFolder }: ListOptions = {},
  ): AsyncGenerator<SourceFile> {
    signal?.throwIfAborted();
    history = openHistory(options);
    const log = await history.headLog(signal);
    if (log !== undefined) onFolder?.({ path: '', place: log });
    listing = arrange(await history.list(signal));
    [batch, last, inARow, overflowed] = [1, -1, 0, false];
    for (const { path, time } of listing.byPath) {
      signal?.throwIfAborted();
      if (within && !within.covers(path)) continue;
      // Commits with equal hashes are equal, and the path contains the hash: size and ctime need not be compared.
      yield { path, size: 0, modified: time, altered: 0 };
    }
  }

  /**
   * Reads the commit at `path` and nearby commits; each call reads a larger batch. If the caller seems to read all commits, the
   * batch has the next commits by path. If not, the caller probably reads new commits: the batch then has the neighbours in the
   * history, where new commits are close together.
   */
  async function readAhead(path: string, { byPath, byHistory, places }: ReturnType<typeof arrange>) {
    const place = places.get(path)!;
    const size = batch;
    batch = Math.min(LARGEST_BATCH, batch * GROWTH);
    const from = Math.max(0, place.byHistory - Math.floor(size / 2));
    const wanted =
      inARow >= RUN_OVER_ALL || overflowed
        ? byPath.slice(place.byPath, place.byPath + size)
        : byHistory.slice(from, from + size).filter((commit) => !ready.has(commit.path));
    const read = await history.read(wanted.map(({ hash }) => hash));
    for (const [index, commit] of read.entries()) ready.set(wanted[index]!.path, commitText(commit));
    for (const oldest of ready.keys()) {
      if (ready.size <= MAX_READY) break;
      ready.delete(oldest);
      overflowed = true;
    }
  }

  return {
    list,
    // When the reference HEAD changes, git writes to the log file `HEAD`. Any commit may be new then: list all again (`''`).
    touchedBy: (path) => (path === 'HEAD' ? '' : undefined),
    async read(path): Promise<SourceText | SkippedFile> {
      if (!listing) for await (const _ of list(() => {})) break;
      const place = listing?.places.get(path)?.byPath;
      if (!listing || place === undefined) {
        return { path, reason: 'unreadable', detail: `no such commit in ${root}` };
      }
      inARow = place === last + 1 ? inARow + 1 : 0;
      last = place;
      if (!ready.has(path)) await readAhead(path, listing);
      const text = ready.get(path)!;
      return { text, hash: createHash('sha256').update(text).digest('hex'), warnings: [] };
    },
  };
}

/**
 * Arranges all commits in two orders, with the position of each path in both. New commits are neighbours in `byHistory`; in
 * `byPath`, they are scattered.
 */
function arrange(found: readonly { readonly hash: string; readonly time: number }[]) {
  const byHistory = found.map(({ hash, time }) => ({ path: `${hash.slice(0, NAME_DIGITS)}.md`, hash, time }));
  const byPath = byHistory.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const inHistory = new Map(byHistory.map(({ path }, index) => [path, index]));
  const places = byPath.map(
    ({ path }, index) => [path, { byPath: index, byHistory: inHistory.get(path)! }] as const,
  );
  return { byPath, byHistory, places: new Map(places) };
}

export interface HistoryOptions {
  /** A folder in a repository. If it is not the top folder, only commits that changed something in it are read. */
  readonly root: string;
  /** Whether the user trusts the folder. Its repository may then belong to another user or use files elsewhere. @default false */
  readonly trusted?: boolean | undefined;
  /** Milliseconds without output after which git is killed. @default 60,000; 10,000 for the command that checks the owner */
  readonly silenceMs?: number | undefined;
}

/** Opens a history, which looks for its repository only once: open it again before each new listing. */
function openHistory({ root, trusted = false, silenceMs }: HistoryOptions) {
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
