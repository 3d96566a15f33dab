/** The history of a git repository as a source of documents: one document per commit reachable from HEAD. */
import { createHash } from 'node:crypto';
import type { ListOptions, SkippedFile, Source, SourceFile, SourceText } from '../../core/ports.ts';
import { commitText } from './commit-text.ts';
import { type HistoryOptions, openHistory } from './git-history.ts';

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
