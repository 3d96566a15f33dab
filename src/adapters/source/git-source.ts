/** The history of a git repository as a source of documents: one for each commit that HEAD leads back to. */
import { createHash } from 'node:crypto';
import type { ListOptions, SkippedFile, Source, SourceFile, SourceText } from '../../core/ports.ts';
import { throwIfAborted } from './abort.ts';
import { commitText } from './commit-text.ts';
import { openHistory } from './git-history.ts';

export interface GitSourceOptions {
  /** A folder of a repository, or a bare one. Below its top, commits that changed nothing in this folder are left out. */
  readonly root: string;
}

/** Commits in most repositories differ in their first 12 digits, in all that are known in 16. */
const NAME_DIGITS = 16;
/** Most commits that are read at once. */
const LARGEST_BATCH = 256;

/**
 * A commit never changes, so only new ones are read; one that a rebase or amend left behind is gone with the next listing.
 * Both methods throw DocfuseError `not_found` without git or outside a repository, and where git refuses.
 */
export function createGitSource({ root }: GitSourceOptions): Source {
  const history = openHistory(root);
  /** Path to full hash, in path order. */
  let commits: ReadonlyMap<string, string> | undefined;
  const ready = new Map<string, string>();
  let batch = 1;
  let expected: string | undefined;

  async function* list(
    _onSkip: (file: SkippedFile) => void,
    signal?: AbortSignal,
    { within, onFolder }: ListOptions = {},
  ): AsyncGenerator<SourceFile> {
    throwIfAborted(signal);
    const log = await history.headLog();
    if (log !== undefined) onFolder?.({ path: '', place: log });
    const found = await history.list(signal);
    const named = found.map(({ hash, time }) => ({ path: `${hash.slice(0, NAME_DIGITS)}.md`, hash, time }));
    named.sort((a, b) => (a.path < b.path ? -1 : 1));
    commits = new Map(named.map(({ path, hash }) => [path, hash]));
    for (const { path, time } of named) {
      throwIfAborted(signal);
      if (within && !within.covers(path)) continue;
      // What a commit says is fixed by its hash: nothing else needs to be compared.
      yield { path, size: 0, modified: time };
    }
  }

  /** Reads ahead, further each time that what was read ahead is asked for: a first run asks for all, a later one for few. */
  async function readBatch(path: string, known: ReadonlyMap<string, string>): Promise<void> {
    batch = path === expected ? Math.min(LARGEST_BATCH, batch * 2) : 1;
    const paths = [...known.keys()];
    const from = paths.indexOf(path);
    const wanted = paths.slice(from, from + batch);
    expected = paths[from + batch];
    ready.clear();
    const read = await history.read(wanted.map((each) => known.get(each)!));
    for (const [index, commit] of read.entries()) ready.set(wanted[index]!, commitText(commit));
  }

  return {
    list,
    // A line is added to it whenever HEAD moves.
    touchedBy: (path) => (path === 'HEAD' ? '' : undefined),
    async read(path): Promise<SourceText | SkippedFile> {
      if (!commits) for await (const _ of list(() => {})) break;
      if (!commits?.has(path)) return { path, reason: 'unreadable', detail: `no such commit in ${root}` };
      if (!ready.has(path)) await readBatch(path, commits);
      const text = ready.get(path)!;
      return { text, hash: createHash('sha256').update(text).digest('hex'), warnings: [] };
    },
  };
}
