/** Keeps an open index up to date for many callers: files are read one batch at a time, shared by all who want it. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { DocfuseError } from '../core/errors.ts';
import type { DocumentChange, Index, SyncOptions, SyncProgress, SyncReport } from './api.ts';
import { createEventBatch } from './event-batch.ts';

/** What is being done to keep the index up to date. */
export interface Activity {
  readonly state: 'idle' | 'reading' | 'embedding';
  /** Files or passages; absent while idle and before the first is done. */
  readonly done?: number;
  readonly total?: number;
}

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
  /** Milliseconds between such comparisons, also while the system does not tell of all changes. @default 5000 */
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
const LONGEST_REST = 200;

/** More changes than this are found faster by comparing everything; and of so many the system may have dropped some. */
const MANY_CHANGES = 1_000;

/**
 * Compares all files at once; then reads what the system says has changed, compares again now and then, and whenever
 * `sync()` is called on the index returned, looks for what changed until that moment.
 * A caller's `sync()` waits until its files are read, and unless it asks for no vectors until those are made. It throws
 * `index_busy` when that takes longer than callers wait, as if another process were writing. Closing it closes `index`.
 */
export function keepFresh(index: Index, options: KeepFreshOptions = {}): FreshIndex {
  const { onProgress, onChanges, onReady, onFailure, onWarning, poll = false } = options;
  const { everyMs = 5_000, reconcileMs = 300_000, patienceMs = 2_000 } = options;
  const stop = new AbortController();
  const listeners = new Set<(progress: SyncProgress) => void>(onProgress ? [onProgress] : []);
  const changed = createEventBatch(() => {
    // What comes during a reading is taken up at its end.
    if (!reading) startReading(false);
  });
  const watching = poll ? undefined : index.watch({ onChange: changed.add });
  let reading: Work | undefined;
  let queued: { all: boolean; readonly done: Promise<SyncReport> } | undefined;
  let embedding: Work | undefined;
  let last: { readonly report: SyncReport; readonly freshUntil: number } | undefined;
  /** Files have been compared and every change since was told. */
  let told = false;
  let unembedded = true;
  let ready = false;
  /** Whether a whole sync has something to tidy up after partial ones. */
  let untidy = false;
  let timer: NodeJS.Timeout | undefined;
  let failure: string | undefined;
  let warned: ReadonlySet<string> = new Set();

  function report(work: Work | undefined, progress: SyncProgress): void {
    if (work) work.progress = progress;
    for (const listener of listeners) listener(progress);
  }

  /** @param all whether to compare all files, or to look at those alone that are said to have changed */
  function startReading(all: boolean): Promise<SyncReport> {
    const only = all || !told || changed.size > MANY_CHANGES ? undefined : changed.take();
    if (!only) {
      changed.take();
      clearTimeout(timer);
    }
    const began = performance.now();
    const changes: DocumentChange[] = [];
    const sync = index.sync({
      signal: stop.signal,
      embed: false,
      onProgress: (progress) => report(reading, progress),
      onChange: (change) => changes.push(change),
      ...(only && { only }),
    });
    const done = sync.then((outcome) => {
      const rest = Math.min(LONGEST_REST, (performance.now() - began) * REST_FACTOR);
      last = { report: outcome, freshUntil: changes.length > 0 ? 0 : performance.now() + rest };
      failure = undefined;
      warn(outcome.warnings);
      if (changes.length > 0) {
        unembedded = true;
        untidy ||= only !== undefined;
        onChanges?.(changes);
      }
      // Also after a part: a root may have gone, and of its return the system says nothing.
      told = watching !== undefined && watching.problem() === undefined;
      if (unembedded || (!only && untidy)) startEmbedding(only === undefined);
      return outcome;
    });
    const work: Work = { began, done };
    reading = work;
    done.then(
      () => {
        if (!told) endReading(everyMs);
        else if (!only) endReading(changes.length > MANY_CHANGES ? 0 : reconcileMs);
        else endReading(undefined);
      },
      (error) => {
        told = false;
        endReading(everyMs);
        fail(error);
      },
    );
    return done;
  }

  /** @param compareIn milliseconds until all files are compared again, if that is to be set anew */
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

  /** Vectors are made while further files are read, so that those can be found by words at once. */
  function startEmbedding(whole: boolean): void {
    untidy ||= whole && embedding !== undefined;
    if (embedding) return;
    unembedded = false;
    const changes: DocumentChange[] = [];
    const done = index.sync({
      signal: stop.signal,
      onProgress: (progress) => report(embedding, progress),
      onChange: (change) => changes.push(change),
      ...(whole ? {} : { only: [] }),
    });
    embedding = { began: performance.now(), done };
    done.then(
      ({ warnings }) => {
        embedding = undefined;
        if (whole) untidy = false;
        warn(warnings);
        if (changes.length > 0) onChanges?.(changes);
        if (unembedded && !stop.signal.aborted) startEmbedding(false);
        if (embedding || ready) return;
        ready = true;
        onReady?.();
      },
      (error) => {
        embedding = undefined;
        unembedded = true;
        compareLater(everyMs);
        fail(error);
      },
    );
  }

  function fail(error: unknown): void {
    const message = String(error);
    if (!stop.signal.aborted && message !== failure) onFailure?.(error);
    failure = message;
  }

  function warn(warnings: SyncReport['warnings']): void {
    const problem = watching?.problem();
    const all = problem
      ? [
          ...warnings,
          { path: '', message: `${problem} All files are compared every ${everyMs / 1000} s instead.` },
        ]
      : warnings;
    for (const warning of all) if (!warned.has(keyOf(warning))) onWarning?.(warning);
    warned = new Set(all.map(keyOf));
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
    // Whoever waits sees the failure; that nobody may wait any more is no failure of its own.
    done.catch(() => {});
    queued = { all, done };
    return done;
  }

  async function readWhatChanged(): Promise<SyncReport> {
    if (!told) {
      if (!reading && last && performance.now() < last.freshUntil) return last.report;
      return readFromNow(true);
    }
    // What was written before this call is known to the system; two turns of the event loop bring it here.
    await turn();
    await turn();
    return reading || changed.size > 0 || !last ? readFromNow(false) : last.report;
  }

  async function readAndEmbed(): Promise<SyncReport> {
    const report = await readWhatChanged();
    let { embedded, warnings } = report;
    while (embedding) {
      const made = await embedding.done;
      embedded += made.embedded;
      warnings = [...warnings, ...made.warnings];
    }
    return { ...report, embedded, warnings };
  }

  async function join({ embed = true, signal, onProgress: listener }: SyncOptions): Promise<SyncReport> {
    // What is long under way will not end soon: waiting would only make every answer late.
    const began = Math.min(reading?.began ?? Infinity, (embed && embedding?.began) || Infinity);
    if (performance.now() - began > patienceMs) throw busy(activity());
    const calm = new AbortController();
    if (listener) listeners.add(listener);
    try {
      const late = sleep(patienceMs, undefined, {
        signal: AbortSignal.any([calm.signal, stop.signal, ...(signal ? [signal] : [])]),
      }).then(() => {
        throw busy(activity());
      });
      return await Promise.race([embed ? readAndEmbed() : readWhatChanged(), late]);
    } finally {
      calm.abort();
      if (listener) listeners.delete(listener);
    }
  }

  function activity(): Activity {
    const work = reading ?? embedding;
    if (!work) return { state: 'idle' };
    const state = work === reading || work.progress?.phase === 'read' ? 'reading' : 'embedding';
    const { done, total } = work.progress ?? {};
    return { state, ...(done !== undefined && total !== undefined && { done, total }) };
  }

  async function close(): Promise<void> {
    stop.abort();
    clearTimeout(timer);
    changed.close();
    watching?.close();
    await Promise.allSettled([reading?.done, embedding?.done]);
    await index.close();
  }

  startReading(true);
  return {
    ...index,
    activity,
    sync: (wanted = {}) =>
      wanted.rebuild || wanted.dryRun || wanted.only ? index.sync(wanted) : join(wanted),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Work {
  readonly began: number;
  readonly done: Promise<SyncReport>;
  progress?: SyncProgress;
}

function keyOf({ path, message }: SyncReport['warnings'][number]): string {
  return `${path}\0${message}`;
}

function busy({ state, done, total }: Activity): DocfuseError {
  const far = done === undefined ? '' : `: ${done} of ${total} ${state === 'reading' ? 'files' : 'passages'}`;
  return new DocfuseError(
    'index_busy',
    `The index is still being brought up to date${far}.`,
    'Ask again later; searching works meanwhile.',
  );
}
