/** Keeps an open index up to date for many callers: files are read one batch at a time, shared by all who want it. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { createPathScope } from '../../core/text/path-scope.ts';
import type { DocumentChange, Index, SyncOptions, SyncProgress, SyncReport } from '../api.ts';
import { type Activity, activityOf, busyWith, type Work } from './activity.ts';
import { createEventBatch } from './event-batch.ts';
import { keepEmbedded } from './keep-embedded.ts';
import { createTrouble } from './tell-trouble.ts';

export interface KeepFreshOptions {
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Told after every reading that changed documents, before their vectors are made. */
  readonly onChanges?: (changes: readonly DocumentChange[]) => void;
  /** Told once: all files are read, and every passage has its vector. */
  readonly onReady?: () => void;
  /** Told once for a failure that lasts. */
  readonly onFailure?: (error: unknown) => void;
  /** Told once what is wrong with a file or a folder, and why changes are not told by the system; `path` is then empty. */
  readonly onWarning?: (warning: { readonly path: string; readonly message: string }) => void;
  /** Compare all files again and again, and do not rely on the system to tell what changed. @default false */
  readonly poll?: boolean;
  /**
   * Milliseconds between such comparisons, also while the system does not tell of all changes, and between looks whether
   * another process wrote to the index.
   * @default 5000
   */
  readonly everyMs?: number;
  /** Milliseconds between comparisons while it does. @default 300000 */
  readonly reconcileMs?: number;
  /** Milliseconds a caller waits for a sync before it is told that the index is busy. @default 2000 */
  readonly patienceMs?: number;
}

export interface FreshIndex extends Index {
  activity(): Activity;
}

/** Where no events tell of changes, comparing takes at most a tenth of the time, however many the files. */
const POLL_REST = 9;

/** More changes than this are found faster by comparing everything; and of so many the system may have dropped some. */
const MAX_NAMED_CHANGES = 1_000;

/**
 * Compares all files at once; then reads what the system says has changed, and compares again now and then.
 * `sync()` on the index returned reads what changed until that moment, with `verify` after comparing all files. It waits until
 * the files are read, and unless it asks for no vectors until those are made. It throws `index_busy` when that takes longer
 * than callers wait, as if another process were writing. Closing it closes `index`.
 */
export function keepFresh(index: Index, options: KeepFreshOptions = {}): FreshIndex {
  const { onProgress, onChanges, onReady, poll = false } = options;
  const { everyMs = 5_000, reconcileMs = 300_000, patienceMs = 2_000 } = options;
  const stop = new AbortController();
  const listeners = new Set<(progress: SyncProgress) => void>(onProgress ? [onProgress] : []);
  const trouble = createTrouble(options);
  /** Whether the next reading compares all files, because something may have changed without an event. */
  let compareAll = true;
  let reading: Work | undefined;
  /** The reading after the one that is under way. */
  let queued: Promise<SyncReport> | undefined;
  let last: SyncReport | undefined;
  let timer: NodeJS.Timeout | undefined;
  const changed = createEventBatch(() => {
    // Changes during a reading are handled at its end.
    if (!reading) startReading();
  });
  const watching = poll ? undefined : index.watch({ onChange: changed.add });
  const changedUnheard = () => watching?.mustCompare() === true;
  const looking = setInterval(() => {
    if (!reading && changedUnheard()) startReading();
  }, everyMs);
  const embedding = keepEmbedded({
    sync: index.sync,
    signal: stop.signal,
    isComplete: async () => !(await index.status()).index.stale,
    onProgress: report,
    onEnd({ warnings }, changes) {
      trouble.succeed('embedding');
      trouble.warn('embedding', warnings);
      if (changes.length > 0) onChanges?.(changes);
    },
    onFailure(error) {
      compareLater(everyMs);
      fail('embedding', error);
    },
    onReady,
  });

  function report(progress: SyncProgress): void {
    for (const listener of listeners) listener(progress);
  }

  function fail(work: 'reading' | 'embedding', error: unknown): void {
    if (!stop.signal.aborted) trouble.fail(work, error);
  }

  /** Reads what events have named, or compares all files. Only one reading runs at a time. */
  function startReading(): Promise<SyncReport> {
    const began = performance.now();
    const isReplaced = changedUnheard();
    const named = changed.take();
    const only = compareAll || isReplaced || named.length > MAX_NAMED_CHANGES ? undefined : named;
    if (!only) {
      compareAll = false;
      clearTimeout(timer);
    }
    const changes: DocumentChange[] = [];
    const done = index
      .sync({
        signal: stop.signal,
        embed: false,
        onProgress(progress) {
          if (reading) reading.progress = progress;
          report(progress);
        },
        onChange: (change) => changes.push(change),
        ...(only && { only }),
      })
      .then((outcome) => {
        last = only ? { ...outcome, skipped: [...skippedOutside(only), ...outcome.skipped] } : outcome;
        trouble.succeed('reading');
        warnOfReading(outcome.warnings);
        if (changes.length > 0) onChanges?.(changes);
        // Also after a partial sync: a root may be gone, and its return sends no event.
        if (!watching || watching.problem() !== undefined) compareAll = true;
        // An index that others put in place may lack vectors.
        embedding.afterReading(changes.length > 0 || isReplaced, !only);
        return last;
      });
    reading = { began, done };
    done.then(
      () => {
        reading = undefined;
        if (compareAll) compareLater(Math.max(everyMs, (performance.now() - began) * POLL_REST));
        else if (!only) compareLater(changes.length > MAX_NAMED_CHANGES ? 0 : reconcileMs);
        if (!compareAll && !stop.signal.aborted) changed.wake();
      },
      (error) => {
        reading = undefined;
        compareAll = true;
        compareLater(everyMs);
        fail('reading', error);
      },
    );
    return done;
  }

  /** Files of the last report that were skipped and do not lie below these paths: a reading of the paths does not see them. */
  function skippedOutside(paths: readonly string[]): SyncReport['skipped'] {
    const scope = createPathScope(paths);
    return last?.skipped.filter(({ path }) => !scope.covers(path)) ?? [];
  }

  function warnOfReading(warnings: SyncReport['warnings']): void {
    const problem = watching?.problem();
    const slower = `${problem} All files are compared every ${everyMs / 1000} s instead.`;
    trouble.warn('reading', problem ? [...warnings, { path: '', message: slower }] : warnings);
  }

  function compareLater(ms: number): void {
    clearTimeout(timer);
    if (!stop.signal.aborted) timer = setTimeout(compareNow, ms);
  }

  function compareNow(): Promise<SyncReport> {
    compareAll = true;
    return readFromNow();
  }

  /** A reading that began before the call may have passed a file that changed since: what changed is read after it. */
  function readFromNow(): Promise<SyncReport> {
    if (!reading) return startReading();
    queued ??= reading.done
      .catch(() => {})
      .then(reportOfNothingNew)
      .then((known) => {
        queued = undefined;
        return known ?? reading?.done ?? startReading();
      });
    queued.catch(() => {}); // callers see a failure; without callers it must not become an unhandled rejection
    return queued;
  }

  /** The last report, if it is known that nothing was written since. */
  async function reportOfNothingNew(): Promise<SyncReport | undefined> {
    // What was written before this call is known to the system; two turns of the event loop bring it here.
    await turn();
    await turn();
    return reading || compareAll || changed.size > 0 || changedUnheard() ? undefined : last;
  }

  /** Waits for files to be read and, if asked, for all vectors. */
  async function catchUp(read: Promise<SyncReport>, embed: boolean): Promise<SyncReport> {
    const report = await read;
    let { embedded, warnings } = report;
    for (let work = embed && embedding.current(); work; work = embedding.current()) {
      const made = await work.done;
      embedded += made.embedded;
      warnings = [...warnings, ...made.warnings];
    }
    return { ...report, embedded, warnings };
  }

  async function join({
    embed = true,
    verify,
    signal,
    onProgress: listener,
  }: SyncOptions): Promise<SyncReport> {
    // Work that has run for long will not end soon: waiting would only delay every answer.
    const began = Math.min(reading?.began ?? Infinity, (embed && embedding.current()?.began) || Infinity);
    if (performance.now() - began > patienceMs) throw busyWith(activity());
    const known = verify ? undefined : await reportOfNothingNew();
    if (known && !(embed && embedding.current())) return known;
    const calm = new AbortController();
    if (listener) listeners.add(listener);
    try {
      const late = sleep(patienceMs, undefined, {
        signal: AbortSignal.any([calm.signal, stop.signal, ...(signal ? [signal] : [])]),
      }).then(() => {
        throw busyWith(activity());
      });
      const read = known ? Promise.resolve(known) : verify ? compareNow() : readFromNow();
      return await Promise.race([catchUp(read, embed), late]);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      calm.abort();
      if (listener) listeners.delete(listener);
    }
  }

  /** Work that is not shared, such as a rebuild. Stopped half-way, it leaves the index incomplete. */
  async function passOn(wanted: SyncOptions): Promise<SyncReport> {
    try {
      return await index.sync(wanted);
    } catch (error) {
      if (!wanted.dryRun) {
        compareAll = true;
        compareLater(everyMs);
      }
      throw error;
    }
  }

  const activity = () => activityOf(reading, embedding.current());

  async function close(): Promise<void> {
    stop.abort();
    clearTimeout(timer);
    clearInterval(looking);
    changed.close();
    watching?.close();
    await Promise.allSettled([reading?.done, embedding.current()?.done]);
    await index.close();
  }

  startReading();
  return {
    ...index,
    activity,
    sync: (wanted = {}) =>
      wanted.rebuild || wanted.purge || wanted.dryRun || wanted.only ? passOn(wanted) : join(wanted),
    close,
    [Symbol.asyncDispose]: close,
  };
}
