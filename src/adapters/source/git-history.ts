/** Reads commits through git's plumbing, whose output no configuration changes. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { COMMIT_FORMAT, readCommits } from './commit-output.ts';
import type { Commit } from './commit-text.ts';
import { type GitOptions, runGit } from './run-git.ts';

export interface History {
  /** Every commit that HEAD leads back to, with its time in milliseconds since 1970; none before the first one is made. */
  list(signal?: AbortSignal): Promise<readonly { readonly hash: string; readonly time: number }[]>;
  /** The folder in which git logs where HEAD has been, if it does: not in a bare repository, nor before the first commit. */
  headLog(): Promise<string | undefined>;
  /** Files that change with what HEAD leads back to, whether they are there or not. */
  state(): Promise<readonly string[]>;
  /** In the order asked. */
  read(hashes: readonly string[]): Promise<readonly Commit[]>;
}

/** @param root in a repository; below its top, commits that changed nothing in this folder are left out */
export function openHistory(root: string): History {
  const git = (args: readonly string[], options?: GitOptions) => runGit(root, args, options);

  async function isShallow(): Promise<boolean> {
    return (await git(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  }
  /** Asked once for what was listed: a fetch may deepen the clone, and is followed by another listing. */
  let shallowness: Promise<boolean> | undefined;

  return {
    async list(signal) {
      shallowness = undefined;
      const prefix = (await git(['rev-parse', '--show-prefix'], { signal })).trim();
      const head = await git(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { signal, orElse: '' });
      if (head === '') return [];
      const within = prefix === '' ? [] : ['.'];
      const lines = await git(['rev-list', '--timestamp', 'HEAD', '--', ...within], { signal });
      return lines.split('\n').flatMap((line) => {
        const [seconds, hash] = line.split(' ');
        return hash ? [{ hash, time: Number(seconds) * 1000 }] : [];
      });
    },

    async headLog() {
      const place = resolve(root, (await git(['rev-parse', '--git-path', 'logs'])).trim());
      return existsSync(place) ? place : undefined;
    },

    async state() {
      const branch = (await git(['symbolic-ref', '--quiet', 'HEAD'], { orElse: '' })).trim();
      const names = ['HEAD', 'packed-refs', 'shallow', 'reftable/tables.list', ...(branch ? [branch] : [])];
      const places = await git(['rev-parse', ...names.flatMap((name) => ['--git-path', name])]);
      return places
        .trimEnd()
        .split('\n')
        .map((place) => resolve(root, place));
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
        '--no-renames',
        '-r',
        '-z',
        '--name-status',
      ];
      shallowness ??= isShallow();
      const [messages, changes, shallow] = await Promise.all([
        git([...said, '--no-color', '--no-show-signature', '--no-notes'], { input }),
        git(changed, { input }),
        shallowness,
      ]);
      return readCommits({ messages, changes, isShallow: shallow });
    },
  };
}
