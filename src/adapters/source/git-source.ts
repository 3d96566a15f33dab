/** The history of a git repository as a source of documents: one for each commit that HEAD leads back to. */
import { createHash } from 'node:crypto';
import type { ListOptions, SkippedFile, Source, SourceFile, SourceText } from '../../core/ports.ts';
import { commitText } from './commit-text.ts';
import { type HistoryOptions, openHistory } from './git-history.ts';

/** In most repositories 12 digits tell all commits apart; 16 do in every repository that is known. */
const NAME_DIGITS = 16;
/** Max commits read at once. */
const LARGEST_BATCH = 256;
/** Factor for the next batch if reading ahead was not enough. */
const GROWTH = 4;
/** Max texts kept until they are read. */
const MAX_READY = 16 * LARGEST_BATCH;
/** This many reads in path order without a gap mean a run over all commits. */
const RUN_OVER_ALL = 2;

interface ListedCommit {
  readonly path: string;
  readonly hash: string;
  readonly time: number;
}

/** The same commits in both orders. */
interface Listing {
  readonly byPath: readonly ListedCommit[];
  /** New ones are neighbours here; by path they are scattered among known ones. */
  readonly byHistory: readonly ListedCommit[];
  /** The place of each path in both lists. */
  readonly places: ReadonlyMap<string, { readonly byPath: number; readonly byHistory: number }>;
}

/**
 * A commit never changes, so only new ones are read; one that a rebase or amend left behind is gone with the next listing.
 * Both methods throw DocfuseError `not_found` without git or outside a repository, and where git refuses.
 */
export function createGitSource(options: HistoryOptions): Source {
  const { root } = options;
  let history = openHistory(options);
  let listing: Listing | undefined;
  const ready = new Map<string, string>();
  let batch = 1;
  /** Place of the last read in path order, and how many reads before it had no gap. */
  let last = -1;
  let inARow = 0;
  /** Whether texts were dropped, perhaps unread. From then on commits are read by path, as they are asked for. */
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
      // The hash of a commit fixes its content: nothing else needs to be compared.
      yield { path, size: 0, modified: time, altered: 0 };
    }
  }

  /** A first run reads all commits, by path; a later one reads new ones. Each miss reads further ahead. */
  async function readAhead(path: string, { byPath, byHistory, places }: Listing): Promise<void> {
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
    // Git adds a line to this log whenever HEAD moves.
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

function arrange(found: readonly { readonly hash: string; readonly time: number }[]): Listing {
  const byHistory = found.map(({ hash, time }) => ({ path: `${hash.slice(0, NAME_DIGITS)}.md`, hash, time }));
  const byPath = byHistory.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const inHistory = new Map(byHistory.map(({ path }, index) => [path, index]));
  const places = byPath.map(
    ({ path }, index) => [path, { byPath: index, byHistory: inHistory.get(path)! }] as const,
  );
  return { byPath, byHistory, places: new Map(places) };
}
