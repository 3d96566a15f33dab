/** Keeps an open index up to date for many callers: one sync at a time, shared by all who want one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../core/errors.ts';
import type { DocumentChange, Index, SyncOptions, SyncProgress, SyncReport } from './api.ts';

/** What is being done to keep the index up to date. */
export interface Activity {
  readonly state: 'idle' | 'reading' | 'embedding';
  /** Files or passages; absent while idle and before the first is done. */
  readonly done?: number;
  readonly total?: number;
}

export interface KeepFreshOptions {
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Told after every sync that changed documents, before their vectors are made. */
  readonly onChanges?: (changes: readonly DocumentChange[]) => void;
  readonly onFailure?: (error: unknown) => void;
  /** Milliseconds after which files are compared again without being asked. @default 5000 */
  readonly everyMs?: number;
  /** Milliseconds a caller waits for a sync before it is told that the index is busy. @default 2000 */
  readonly patienceMs?: number;
}

export interface FreshIndex extends Index {
  activity(): Activity;
}

/** After a comparison that found nothing, rest for this many times as long: it takes a fifth of the time, however often asked for. */
const REST_FACTOR = 4;
const LONGEST_REST = 200;

/**
 * Syncs at once, then again and again, and whenever `sync()` is called on the index returned.
 * A caller's `sync()` waits until its files are read, and unless it asks for no vectors until those are made. It throws
 * `index_busy` when that takes longer than callers wait, as if another process were writing. Closing it closes `index`.
 */
export function keepFresh(index: Index, options: KeepFreshOptions = {}): FreshIndex {
  const { onProgress, onChanges, onFailure, everyMs = 5_000, patienceMs = 2_000 } = options;
  const stop = new AbortController();
  const listeners = new Set<(progress: SyncProgress) => void>(onProgress ? [onProgress] : []);
  let activity: Activity = { state: 'idle' };
  let running: Round | undefined;
  let next: Round | undefined;
  let last: { readonly report: SyncReport; readonly freshUntil: number } | undefined;
  let vectorsComplete = false;
  let timer: NodeJS.Timeout | undefined;

  function report(progress: SyncProgress): void {
    const { phase, done, total } = progress;
    activity = { state: phase === 'read' ? 'reading' : 'embedding', done, total };
    for (const listener of listeners) listener(progress);
  }

  /** Files first, so that words can be found while vectors are being made. */
  function startRound(): Round {
    clearTimeout(timer);
    const began = performance.now();
    const changes: DocumentChange[] = [];
    const shared: SyncOptions = { signal: stop.signal, onProgress: report };
    activity = { state: 'reading' };
    const read = index.sync({ ...shared, embed: false, onChange: (change) => changes.push(change) });
    const embedded = read.then(async (outcome) => {
      const ended = performance.now();
      if (changes.length === 0) {
        last = { report: outcome, freshUntil: ended + Math.min(LONGEST_REST, (ended - began) * REST_FACTOR) };
      } else {
        last = undefined;
        vectorsComplete = false;
        onChanges?.(changes);
      }
      if (!vectorsComplete) {
        activity = { state: 'embedding' };
        const { embedded, warnings } = await index.sync(shared);
        vectorsComplete = true;
        outcome = { ...outcome, embedded, warnings: [...outcome.warnings, ...warnings] };
      }
      return outcome;
    });
    const round: Round = { began, read, embedded };
    running = round;
    const end = () => {
      activity = { state: 'idle' };
      running = undefined;
      if (!stop.signal.aborted) timer = setTimeout(() => startRound(), everyMs);
    };
    embedded.then(end, (error) => {
      end();
      if (!stop.signal.aborted) onFailure?.(error);
    });
    return round;
  }

  /** A round that began before the call may have passed a file that was changed since, so the one after it counts. */
  function roundFromNow(): Round {
    if (!running) return startRound();
    if (next) return next;
    const before = running.embedded.catch(() => {});
    const started = before.then(() => {
      next = undefined;
      return running ?? startRound();
    });
    const round: Round = {
      began: performance.now(),
      read: started.then((round) => round.read),
      embedded: started.then((round) => round.embedded),
    };
    // Whoever waits sees the failure; that nobody may wait any more is no failure of its own.
    round.read.catch(() => {});
    round.embedded.catch(() => {});
    next = round;
    return round;
  }

  async function join({ embed = true, signal, onProgress: listener }: SyncOptions): Promise<SyncReport> {
    if (!running && last && performance.now() < last.freshUntil) return last.report;
    // A sync that is long under way will not end soon: waiting would only make every answer late.
    const spent = running ? performance.now() - running.began : 0;
    if (spent > patienceMs) throw busy(activity);
    const round = roundFromNow();
    const calm = new AbortController();
    if (listener) listeners.add(listener);
    try {
      const late = sleep(patienceMs, undefined, {
        signal: AbortSignal.any([calm.signal, stop.signal, ...(signal ? [signal] : [])]),
      }).then(() => {
        throw busy(activity);
      });
      return await Promise.race([embed ? round.embedded : round.read, late]);
    } finally {
      calm.abort();
      if (listener) listeners.delete(listener);
    }
  }

  async function close(): Promise<void> {
    stop.abort();
    clearTimeout(timer);
    await running?.embedded.catch(() => {});
    await index.close();
  }

  startRound();
  return {
    ...index,
    activity: () => activity,
    sync: (wanted = {}) => (wanted.rebuild || wanted.dryRun ? index.sync(wanted) : join(wanted)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Round {
  readonly began: number;
  /** Settles when all files have been read. */
  readonly read: Promise<SyncReport>;
  /** Settles when all vectors have been made, too. */
  readonly embedded: Promise<SyncReport>;
}

function busy({ state, done, total }: Activity): DocfuseError {
  const far = done === undefined ? '' : `: ${done} of ${total} ${state === 'reading' ? 'files' : 'passages'}`;
  return new DocfuseError(
    'index_busy',
    `The index is still being brought up to date${far}.`,
    'Ask again later; searching works meanwhile.',
  );
}
