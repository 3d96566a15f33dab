/** Takes apart what git prints of commits, whatever their messages and files are called. */
import type { Commit } from './commit-text.ts';

/** What to ask `git log -z` for: parts of a commit never hold a NUL. */
export const COMMIT_FORMAT = ['%H', '%P', '%aN', '%aI', '%B'].join('%x00');
const FIELDS = 5;

export interface CommitOutput {
  /** Of `git log -z` in `COMMIT_FORMAT`: the commits asked for, in the order asked. */
  readonly messages: string;
  /** Of `git diff-tree -z --name-status`: each hash, then a letter and a path for each change. */
  readonly changes: string;
  /** The oldest commits of a shallow clone look as if they had made every file. */
  readonly isShallow: boolean;
}

/** In the order of the messages. */
export function readCommits({ messages, changes, isShallow }: CommitOutput): readonly Commit[] {
  const paths = pathsByCommit(changes);
  const values = messages.split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS <= values.length; at += FIELDS) {
    const [hash, parents, author, date, message] = values.slice(at, at + FIELDS) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const unknown = isShallow && parents === '';
    commits.push({ hash, author, date, message, paths: unknown ? [] : (paths.get(hash) ?? []) });
  }
  return commits;
}

/** A file may be called like a commit, but a commit is never called by one letter. */
function pathsByCommit(changes: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let paths: string[] = [];
  const values = changes.split('\0');
  for (let at = 0; at < values.length - 1; at++) {
    const value = values[at]!;
    if (value.length === 1) paths.push(values[++at]!);
    else {
      paths = [];
      found.set(value, paths);
    }
  }
  return found;
}
