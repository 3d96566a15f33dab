/** Reads commits through git's plumbing, whose output no configuration changes. */
import { existsSync, realpathSync } from 'node:fs';
import { DocfuseError } from '../../core/errors.ts';
import { COMMIT_FORMAT, readCommits } from './commit-output.ts';
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
  /** Asked once for what was listed: a fetch may deepen the clone, and is followed by another listing. */
  let shallowness: Promise<boolean> | undefined;

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
  async function isShallow(): Promise<boolean> {
    return (await git(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
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
      const format = `--format=${COMMIT_FORMAT}`;
      const said = ['log', '--no-walk=unsorted', '--stdin', '-s', '-z', '--encoding=UTF-8', format];
      const changed = [
        'diff-tree',
        '--stdin',
        '--root',
        '--always',
        '--no-ext-diff',
        '--no-textconv',
        '--no-renames',
        '-r',
        '-z',
        '--name-status',
      ];
      shallowness ??= isShallow();
      const [messages, changes, shallow] = await Promise.all([
        git([...said, '--no-color', '--no-decorate', '--no-show-signature', '--no-notes'], { input }),
        git(changed, { input }),
        shallowness,
      ]);
      return readCommits({ messages, changes, isShallow: shallow });
    },
  };
}
