/** Runs the syncs that keep an index up to date, and reports their progress. One sync may read files while another embeds. */
import { DocfuseError } from '../../core/errors.ts';
import type { DocumentChange, Index, SyncOptions, SyncProgress, SyncReport } from '../api.ts';

type Warning = SyncReport['warnings'][number];
type Kind = 'reading' | 'embedding';

export interface Activity {
  readonly state: 'idle' | Kind;
  /** Number of files or passages; absent while idle and before the first progress. */
  readonly done?: number;
  readonly total?: number;
}

export interface WorkListeners {
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Called after each reading that changed documents, before these documents are embedded. */
  readonly onChanges?: (changes: readonly DocumentChange[]) => void;
  /** Called once for a failure, even if later syncs fail in the same way. */
  readonly onFailure?: (error: unknown) => void;
  /** Called once per problem. `path` is empty if the problem does not concern a file or folder. */
  readonly onWarning?: (warning: Warning) => void;
}

interface Work {
  /** In milliseconds of `performance.now()`. */
  readonly began: number;
  readonly done: Promise<SyncReport>;
  progress?: SyncProgress;
}

/** Callbacks at the end of a sync. */
interface Sequel {
  /** @returns the report for callers that wait */
  onEnd(report: SyncReport, changes: readonly DocumentChange[]): SyncReport;
  onFail(): void;
}

/** @param signal stops the syncs; failures after that are not reported */
export function createBackgroundWork(
  sync: Index['sync'],
  signal: AbortSignal,
  { onProgress, onChanges, onFailure, onWarning }: WorkListeners,
) {
  const running: { [kind in Kind]?: Work | undefined } = {};
  const listeners = new Set(onProgress && [onProgress]);
  /** The last failure of each kind, until a sync of that kind succeeds. */
  const failures = new Map<Kind, string>();
  /** Keys of the warnings that still apply, by kind of sync. */
  const warned = new Map<Kind, ReadonlySet<string>>();

  function fail(kind: Kind, error: unknown): void {
    if (signal.aborted) return;
    const message = String(error);
    if (![...failures.values()].includes(message)) onFailure?.(error);
    failures.set(kind, message);
  }

  /** If both kinds run, reports reading: until reading ends, the number of passages is not known. */
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
    listeners,
    activity,
    /** Starts a sync. A caller must not start a second sync of the same kind before the first has ended. */
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
      done.catch(() => {}); // `fail` has reported the error; if no caller awaits `done`, it must not count as unhandled
      running[kind] = { began: performance.now(), done };
      return done;
    },
    /** @param warnings all current warnings; a warning that ends and returns is reported again */
    warn(kind: Kind, warnings: readonly Warning[]): void {
      const isTold = (key: string) => [...warned.values()].some((keys) => keys.has(key));
      for (const warning of warnings) if (!isTold(keyOf(warning))) onWarning?.(warning);
      warned.set(kind, new Set(warnings.map(keyOf)));
    },
    /** Makes the error for callers that have waited too long. */
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
