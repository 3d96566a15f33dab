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
   * Milliseconds between such comparisons, also while the system does not tell of all changes, and between looks at what it
   * never tells of.
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

/** After a comparison that found nothing, rest for this many times as long: it takes a fifth of the time, however often asked for. */
const REST_FACTOR = 4;
const MAX_REST = 200;

/** Where nothing tells of changes, comparing takes at most a tenth of the time, however many the files. */
const POLL_REST = 9;

/** More changes than this are found faster by comparing everything; and of so many the system may have dropped some. */
const MANY_CHANGES = 1_000;

/**
 * Compares all files at once; then reads what the system says has changed, compares again now and then, and whenever
 * `sync()` is called on the index returned, looks for what changed until that moment.
 * A caller's `sync()` waits until its files are read, and unless it asks for no vectors until those are made. It throws
 * `index_busy` when that takes longer than callers wait, as if another process were writing. Closing it closes `index`.
 */
export function keepFresh(index: Index, options: KeepFreshOptions = {}): FreshIndex {
  const { onProgress, onChanges, onReady, poll = false } = options;
  const { everyMs = 5_000, reconcileMs = 300_000, patienceMs = 2_000 } = options;
  const stop = new AbortController();
  const listeners = new Set<(progress: SyncProgress) => void>(onProgress ? [onProgress] : []);
  const changed = createEventBatch(() => {
    // Changes during a reading are handled at its end.
    if (!reading) startReading(false);
  });
  const watching = poll ? undefined : index.watch({ onChange: changed.add });
  let reading: Work | undefined;
  let queued: { all: boolean; readonly done: Promise<SyncReport> } | undefined;
  let last: { readonly report: SyncReport; readonly freshUntil: number } | undefined;
  /** Files have been compared and every change since was told. */
  let told = false;
  let timer: NodeJS.Timeout | undefined;
  const looking =
    watching &&
    setInterval(() => {
      if (!reading && hasMissed()) void startReading(true).catch(() => {});
    }, everyMs);
  const trouble = createTrouble(options);
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

  /** @param all whether to compare all files, or to look at those alone that are said to have changed */
  function startReading(all: boolean): Promise<SyncReport> {
    const missed = hasMissed();
    const only = all || !told || changed.size > MANY_CHANGES || missed ? undefined : changed.take();
    if (!only) {
      changed.take();
      clearTimeout(timer);
    }
    const began = performance.now();
    const changes: DocumentChange[] = [];
    const sync = index.sync({
      signal: stop.signal,
      embed: false,
      onProgress(progress) {
        if (reading) reading.progress = progress;
        report(progress);
      },
      onChange: (change) => changes.push(change),
      ...(only && { only }),
    });
    const done = sync.then((outcome) => {
      const rest = Math.min(MAX_REST, (performance.now() - began) * REST_FACTOR);
      const report = only ? { ...outcome, skipped: [...skippedOutside(only), ...outcome.skipped] } : outcome;
      last = { report, freshUntil: changes.length > 0 ? 0 : performance.now() + rest };
      trouble.succeed('reading');
      warnOfReading(outcome.warnings);
      if (changes.length > 0) onChanges?.(changes);
      // Also after a partial sync: a root may be gone, and its return sends no event.
      told = (told || !only) && watching !== undefined && watching.problem() === undefined;
      // An index that others put in place may lack vectors.
      embedding.afterReading(changes.length > 0 || missed, only === undefined);
      return report;
    });
    const work: Work = { began, done };
    reading = work;
    done.then(
      () => {
        if (!told) endReading(Math.max(everyMs, (performance.now() - began) * POLL_REST));
        else if (!only) endReading(changes.length > MANY_CHANGES ? 0 : reconcileMs);
        else endReading(undefined);
      },
      (error) => {
        told = false;
        endReading(everyMs);
        fail('reading', error);
      },
    );
    return done;
  }

  /** Files of the last report that were skipped and do not lie below these paths: a reading of the paths does not see them. */
  function skippedOutside(paths: readonly string[]): SyncReport['skipped'] {
    const scope = createPathScope(paths);
    return last?.report.skipped.filter(({ path }) => !scope.covers(path)) ?? [];
  }

  /** @param compareIn milliseconds until all files are compared again, if that time changes */
  function endReading(compareIn: number | undefined): void {
    reading = undefined;
    if (stop.signal.aborted) return;
    if (compareIn !== undefined) compareLater(compareIn);
    if (told) changed.wake();
  }

  function compareLater(ms: number): void {
    clearTimeout(timer);
    if (!stop.signal.aborted) timer = setTimeout(() => void readFromNow(true).catch(() => {}), ms);
  }

  /** Whether something changed without an event. */
  function hasMissed(): boolean {
    return told && watching?.hasMissed() === true;
  }

  function fail(work: 'reading' | 'embedding', error: unknown): void {
    if (!stop.signal.aborted) trouble.fail(work, error);
  }

  function warnOfReading(warnings: SyncReport['warnings']): void {
    const problem = watching?.problem();
    const slower = `${problem} All files are compared every ${everyMs / 1000} s instead.`;
    trouble.warn('reading', problem ? [...warnings, { path: '', message: slower }] : warnings);
  }

  /** A reading that began before the call may have passed a file that was changed since, so the one after it counts. */
  function readFromNow(all: boolean): Promise<SyncReport> {
    if (!reading) return startReading(all);
    if (queued) {
      queued.all ||= all;
      return queued.done;
    }
    const done = reading.done
      .catch(() => {})
      .then(() => {
        const wanted = queued?.all ?? all;
        queued = undefined;
        return reading ? reading.done : startReading(wanted);
      });
    // Waiting callers see the failure; without any, it must not become an unhandled rejection.
    done.catch(() => {});
    queued = { all, done };
    return done;
  }

  /** The last report, where it is known that nothing was written since. */
  async function reportOfNothingNew(): Promise<SyncReport | undefined> {
    if (!told) {
      const resting = !reading && last !== undefined && performance.now() < last.freshUntil;
      return resting && watching?.hasMissed() !== true ? last?.report : undefined;
    }
    // What was written before this call is known to the system; two turns of the event loop bring it here.
    await turn();
    await turn();
    return reading || changed.size > 0 || hasMissed() ? undefined : last?.report;
  }

  /** @param read the report on the files, where they need not be read */
  async function catchUp(read: SyncReport | undefined, embed: boolean): Promise<SyncReport> {
    const report = read ?? (await readFromNow(!told));
    let { embedded, warnings } = report;
    for (let work = embed && embedding.current(); work; work = embedding.current()) {
      const made = await work.done;
      embedded += made.embedded;
      warnings = [...warnings, ...made.warnings];
    }
    return { ...report, embedded, warnings };
  }

  async function join({ embed = true, signal, onProgress: listener }: SyncOptions): Promise<SyncReport> {
    // Work that has run for long will not end soon: waiting would only delay every answer.
    const began = Math.min(reading?.began ?? Infinity, (embed && embedding.current()?.began) || Infinity);
    if (performance.now() - began > patienceMs) throw busyWith(activity());
    const read = await reportOfNothingNew();
    if (read && !(embed && embedding.current())) return read;
    const calm = new AbortController();
    if (listener) listeners.add(listener);
    try {
      const late = sleep(patienceMs, undefined, {
        signal: AbortSignal.any([calm.signal, stop.signal, ...(signal ? [signal] : [])]),
      }).then(() => {
        throw busyWith(activity());
      });
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
        told = false;
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

  startReading(true);
  return {
    ...index,
    activity,
    sync: (wanted = {}) =>
      wanted.rebuild || wanted.purge || wanted.dryRun || wanted.only ? passOn(wanted) : join(wanted),
    close,
    [Symbol.asyncDispose]: close,
  };
}
