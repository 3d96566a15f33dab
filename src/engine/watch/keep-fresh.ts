/** Keeps an open index up to date for many callers. Callers share each reading of its files. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { createPathScope } from '../../core/text/paths.ts';
import type { Index, SyncOptions, SyncReport } from '../api.ts';
import { type Activity, createBackgroundWork, type WorkListeners } from './background-work.ts';
import { createEventBatch } from './event-batch.ts';

export interface KeepFreshOptions extends WorkListeners {
  /** Called once, when all files are read and every passage has a vector. */
  readonly onReady?: () => void;
  /** Whether to compare all files repeatedly instead of using the system's events. @default false */
  readonly poll?: boolean;
  /** Whether to publish the index after vectors were made, if the settings name a server. @default false */
  readonly publish?: boolean;
  /**
   * Milliseconds between comparisons of all files if the system does not report all changes. Also the milliseconds between checks
   * whether another process wrote to the index.
   * @default 5000
   */
  readonly everyMs?: number;
  /** Milliseconds between comparisons while the system reports all changes. @default 300000 */
  readonly reconcileMs?: number;
  /** Maximum milliseconds that a caller waits for a sync; it then gets `index_busy`. @default 2000 */
  readonly patienceMs?: number;
}

export interface FreshIndex extends Index {
  activity(): Activity;
}

/** Without events, the pause after a comparison is at least this many times as long as the comparison. */
const POLL_REST = 9;

/**
 * Without events, each `sync()` compares all files. After a comparison without changes, later calls get its report for this many
 * times its duration.
 */
const SHARE_FACTOR = 4;
/** Max milliseconds for which callers share a report. */
const MAX_SHARE = 200;

/** For more changes than this, comparing all files is faster. The system may also have dropped some of so many events. */
const MAX_NAMED_CHANGES = 1_000;

/**
 * Compares all files first. Then reads the files that the system reports as changed, and compares all files at intervals.
 *
 * `sync()` of the returned index reads all changes that the system reported before the call. It waits until the files are read
 * and, unless `embed` is false, embedded. If this takes longer than `patienceMs`, it throws `index_busy`. It passes `verify` on to
 * `index` only with `rebuild`, `purge`, `dryRun` or `only`. Otherwise it ignores `verify`, because the check would stop the server
 * from answering.
 * Closing the returned index closes `index`.
 */
export function keepFresh(index: Index, options: KeepFreshOptions = {}): FreshIndex {
  const { onReady, poll = false, publish = false } = options;
  const { everyMs = 5_000, reconcileMs = 300_000, patienceMs = 2_000 } = options;
  const stop = new AbortController();
  const work = createBackgroundWork(index.sync, stop.signal, options);
  const { running } = work;
  /** Whether the next reading compares all files, because something may have changed without an event. */
  let compareAll = true;
  let nextComparison: NodeJS.Timeout | undefined;
  /** The reading that starts after the running reading. */
  let queued: Promise<SyncReport> | undefined;
  let last: SyncReport | undefined;
  /** Without events: the time until which callers get `last` without a new comparison. */
  let sharedUntil = 0;
  /** What the next embedding must do: make vectors, or only remove unused vectors, which a sync with `only` keeps. */
  let owed: 'vectors' | 'tidying' | undefined = 'vectors';
  let isReady = false;
  const changed = createEventBatch(() => {
    // Changes during a reading are handled at its end.
    if (!running.reading) startReading();
  });
  const watching = poll ? undefined : index.watch({ onChange: changed.add });
  const changedUnheard = () => watching?.mustCompare() === true;
  const looking = setInterval(() => {
    if (!running.reading && changedUnheard()) startReading();
  }, everyMs);

  /** Reads the files that events named, or compares all files. */
  function startReading(): Promise<SyncReport> {
    const began = performance.now();
    const isReplaced = changedUnheard();
    const named = changed.take();
    const only = compareAll || isReplaced || named.length > MAX_NAMED_CHANGES ? undefined : named;
    if (!only) {
      compareAll = false;
      clearTimeout(nextComparison);
    }
    return work.start(
      'reading',
      { embed: false, ...(only && { only }) },
      {
        onEnd(report, changes) {
          last = only ? { ...report, skipped: [...skippedOutside(only), ...report.skipped] } : report;
          warnOfReading(report.warnings);
          // Compare all files next time, also after a partial sync: a missing root may come back, and no event reports that.
          if (!watching || watching.problem() !== undefined) compareAll = true;
          // If another process replaced the index, the new index may lack vectors.
          if (changes.length > 0 || isReplaced) owed = 'vectors';
          if (!running.embedding && (owed === 'vectors' || (owed && !only))) startEmbedding(!only);
          const took = performance.now() - began;
          sharedUntil = changes.length > 0 ? 0 : performance.now() + Math.min(MAX_SHARE, took * SHARE_FACTOR);
          if (compareAll) compareLater(Math.max(everyMs, took * POLL_REST));
          else if (!only) compareLater(changes.length > MAX_NAMED_CHANGES ? 0 : reconcileMs);
          if (!compareAll && !stop.signal.aborted) changed.wake();
          return last;
        },
        onFail: mustCompareSoon,
      },
    );
  }

  /** Compares all files soon: after a failure, it is unknown what the index contains. */
  function mustCompareSoon(): void {
    compareAll = true;
    sharedUntil = 0;
    compareLater(everyMs);
  }

  /** Returns the files outside `paths` that the last report skipped: a reading of `paths` does not list them. */
  function skippedOutside(paths: readonly string[]): SyncReport['skipped'] {
    const scope = createPathScope(paths);
    return last?.skipped.filter(({ path }) => !scope.covers(path)) ?? [];
  }

  function warnOfReading(warnings: SyncReport['warnings']): void {
    const problem = watching?.problem();
    const slower = `${problem} All files are compared every ${everyMs / 1000} s instead.`;
    work.warn('reading', problem ? [...warnings, { path: '', message: slower }] : warnings);
  }

  /**
   * Makes vectors. Changed files are read meanwhile, so that searches by words find them at once.
   * @param whole whether the last reading compared all files
   */
  function startEmbedding(whole: boolean): void {
    owed = whole ? undefined : 'tidying';
    void work.start(
      'embedding',
      { publish, ...(!whole && { only: [] }) },
      {
        onEnd(report) {
          work.warn('embedding', report.warnings);
          if (stop.signal.aborted) return report;
          if (owed === 'vectors') startEmbedding(false);
          else if (!isReady) void tellReady();
          return report;
        },
        onFail() {
          owed = 'vectors';
          compareLater(everyMs);
        },
      },
    );
  }

  /** Calls `onReady` if no vector is missing. If a service was unavailable, vectors are made after the next reading. */
  async function tellReady(): Promise<void> {
    const status = await index.status().catch(() => undefined);
    if (stop.signal.aborted || isReady) return;
    isReady = status !== undefined && !status.index.stale;
    if (isReady) onReady?.();
    else owed = 'vectors';
  }

  function compareLater(ms: number): void {
    clearTimeout(nextComparison);
    if (stop.signal.aborted) return;
    nextComparison = setTimeout(() => {
      compareAll = true;
      void readFromNow();
    }, ms);
  }

  /** Waits for a running reading, then starts another if a file may have changed after it was read. */
  function readFromNow(): Promise<SyncReport> {
    if (!running.reading) return startReading();
    queued ??= running.reading.done
      .catch(() => {})
      .then(reportOfNothingNew)
      .then((known) => {
        queued = undefined;
        return known ?? running.reading?.done ?? startReading();
      });
    queued.catch(() => {}); // callers get the error; without callers, it must not count as unhandled
    return queued;
  }

  /** Returns the last report if no file was written since; undefined if that is not certain. */
  async function reportOfNothingNew(): Promise<SyncReport | undefined> {
    // The system already knows what was written before this call; its events arrive within two turns of the event loop.
    await turn();
    await turn();
    return running.reading || compareAll || changed.size > 0 || changedUnheard() ? undefined : last;
  }

  /** Waits for files to be read and, if asked, for all vectors. */
  async function catchUp(read: SyncReport | Promise<SyncReport>, embed: boolean): Promise<SyncReport> {
    const report = await read;
    let { embedded, warnings } = report;
    while (embed && running.embedding) {
      const made = await running.embedding.done;
      embedded += made.embedded;
      warnings = [...warnings, ...made.warnings];
    }
    return { ...report, embedded, warnings };
  }

  async function join(wanted: SyncOptions): Promise<SyncReport> {
    const { embed = true, signal, onProgress } = wanted;
    // Work that has run for long will not end soon: waiting would only delay every answer.
    const late = performance.now() - patienceMs;
    if ([running.reading, embed && running.embedding].some((each) => each && each.began < late))
      throw work.busy();
    const isShared = compareAll && !running.reading && performance.now() < sharedUntil && !changedUnheard();
    const known = isShared ? last : await reportOfNothingNew();
    if (known && !(embed && running.embedding)) return known;
    const answered = new AbortController();
    const signals = [answered.signal, stop.signal, ...(signal ? [signal] : [])];
    if (onProgress) work.listeners.add(onProgress);
    try {
      const waited = sleep(patienceMs, undefined, { signal: AbortSignal.any(signals) }).then(() => {
        throw work.busy();
      });
      return await Promise.race([catchUp(known ?? readFromNow(), embed), waited]);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      answered.abort();
      if (onProgress) work.listeners.delete(onProgress);
    }
  }

  /** Runs a sync that is not shared, such as a rebuild. After a failure, all files are compared: the index may be incomplete. */
  async function passOn(wanted: SyncOptions): Promise<SyncReport> {
    try {
      return await index.sync(wanted);
    } catch (error) {
      if (!wanted.dryRun) mustCompareSoon();
      throw error;
    }
  }

  async function close(): Promise<void> {
    stop.abort();
    clearTimeout(nextComparison);
    clearInterval(looking);
    changed.close();
    watching?.close();
    await Promise.allSettled([running.reading?.done, running.embedding?.done]);
    await index.close();
  }

  startReading();
  return {
    ...index,
    activity: work.activity,
    sync: (wanted = {}) =>
      wanted.rebuild || wanted.purge || wanted.dryRun || wanted.only ? passOn(wanted) : join(wanted),
    close,
    [Symbol.asyncDispose]: close,
  };
}
