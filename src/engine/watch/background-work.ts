/** Runs the syncs that keep an index up to date, one that reads files beside one that makes vectors, and tells how they go. */
import { DocfuseError } from '../../core/errors.ts';
import type { DocumentChange, Index, SyncOptions, SyncProgress, SyncReport } from '../api.ts';

type Warning = SyncReport['warnings'][number];
type Kind = 'reading' | 'embedding';

export interface Activity {
  readonly state: 'idle' | Kind;
  /** Files or passages; absent while idle and before the first is done. */
  readonly done?: number;
  readonly total?: number;
}

export interface WorkListeners {
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Told after every reading that changed documents, before their vectors are made. */
  readonly onChanges?: (changes: readonly DocumentChange[]) => void;
  /** Told once for a failure that lasts. */
  readonly onFailure?: (error: unknown) => void;
  /** Told once what is wrong with a file or a folder, and why the system does not report changes; `path` is then empty. */
  readonly onWarning?: (warning: Warning) => void;
}

/** A sync that is under way. */
interface Work {
  /** In milliseconds of `performance.now()`. */
  readonly began: number;
  readonly done: Promise<SyncReport>;
  progress?: SyncProgress;
}

/** What follows a sync. */
interface Sequel {
  /** @returns the report for callers that wait */
  onEnd(report: SyncReport, changes: readonly DocumentChange[]): SyncReport;
  onFail(): void;
}

/** @param signal stops the syncs; failures are not told from then on */
export function createBackgroundWork(
  sync: Index['sync'],
  signal: AbortSignal,
  { onProgress, onChanges, onFailure, onWarning }: WorkListeners,
) {
  const running: { [kind in Kind]?: Work | undefined } = {};
  const listeners = new Set(onProgress && [onProgress]);
  /** Failures and warnings that were told and still hold. */
  const failures = new Map<Kind, string>();
  const warned = new Map<Kind, ReadonlySet<string>>();

  function fail(kind: Kind, error: unknown): void {
    if (signal.aborted) return;
    const message = String(error);
    if (![...failures.values()].includes(message)) onFailure?.(error);
    failures.set(kind, message);
  }

  /** Reading is reported first: until it ends, the number of passages is not known. */
  function activity(): Activity {
    const { reading, embedding } = running;
    const work = reading ?? embedding;
    if (!work) return { state: 'idle' };
    const state = work === reading || work.progress?.phase === 'read' ? 'reading' : 'embedding';
    const { done, total } = work.progress ?? {};
    return { state, ...(done !== undefined && total !== undefined && { done, total }) };
  }

  return {
    running,
    /** Told the progress of all syncs. */
    listeners,
    activity,
    /** Starts a sync of a kind that is not running. */
    start(kind: Kind, wanted: SyncOptions, { onEnd, onFail }: Sequel): Promise<SyncReport> {
      const changes: DocumentChange[] = [];
      const done = sync({
        ...wanted,
        signal,
        onProgress(progress) {
          const work = running[kind];
          if (work) work.progress = progress;
          for (const listener of listeners) listener(progress);
        },
        onChange: (change) => changes.push(change),
      })
        .then((report) => {
          running[kind] = undefined;
          failures.delete(kind);
          if (changes.length > 0) onChanges?.(changes);
          return onEnd(report, changes);
        })
        .catch((error) => {
          running[kind] = undefined;
          onFail();
          fail(kind, error);
          throw error;
        });
      done.catch(() => {}); // told above; without callers it must not become an unhandled rejection
      running[kind] = { began: performance.now(), done };
      return done;
    },
    /** @param warnings all that hold now; one that goes away and returns is told again */
    warn(kind: Kind, warnings: readonly Warning[]): void {
      const isTold = (key: string) => [...warned.values()].some((keys) => keys.has(key));
      for (const warning of warnings) if (!isTold(keyOf(warning))) onWarning?.(warning);
      warned.set(kind, new Set(warnings.map(keyOf)));
    },
    /** The error for callers that waited long enough. */
    busy(): DocfuseError {
      const { state, done, total } = activity();
      const [made, all] = [done, total].map((each) => each?.toLocaleString('en'));
      const what = state === 'reading' ? 'files' : 'passages';
      return new DocfuseError(
        'index_busy',
        `The index is still being brought up to date${made === undefined ? '' : `: ${made} of ${all} ${what}`}.`,
        'Ask again later; searching works meanwhile.',
      );
    },
  };
}

function keyOf({ path, message }: Warning): string {
  return `${path}\0${message}`;
}
