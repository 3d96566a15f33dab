/** Makes vectors while further files are read, so that those can be found by words at once. */
import type { Work } from './activity.ts';
import type { DocumentChange, SyncOptions, SyncProgress, SyncReport } from './api.ts';

export interface KeepEmbeddedOptions {
  readonly sync: (options: SyncOptions) => Promise<SyncReport>;
  /** Ends it: nothing is begun any more. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SyncProgress) => void;
  /** Told after each sync. */
  readonly onEnd: (report: SyncReport, changes: readonly DocumentChange[]) => void;
  readonly onFailure: (error: unknown) => void;
  /** Told once: every passage has its vector. */
  readonly onReady?: (() => void) | undefined;
}

export interface Embedding {
  /** What is under way. */
  current(): Work | undefined;
  /**
   * Begins where there is something to do.
   * @param changed whether documents changed
   * @param whole whether all files were compared, and not some
   */
  afterReading(changed: boolean, whole: boolean): void;
}

export function keepEmbedded(options: KeepEmbeddedOptions): Embedding {
  const { sync, signal, onProgress, onEnd, onFailure, onReady } = options;
  let work: Work | undefined;
  let unembedded = true;
  /** Whether a whole sync has something to tidy up after partial ones. */
  let untidy = false;
  let ready = false;

  function start(whole: boolean): void {
    untidy ||= whole && work !== undefined;
    if (work) return;
    unembedded = false;
    const changes: DocumentChange[] = [];
    const done = sync({
      signal,
      onProgress(progress) {
        if (work) work.progress = progress;
        onProgress(progress);
      },
      onChange: (change) => changes.push(change),
      ...(whole ? {} : { only: [] }),
    });
    work = { began: performance.now(), done };
    done.then(
      (report) => {
        work = undefined;
        if (whole) untidy = false;
        onEnd(report, changes);
        if (unembedded && !signal.aborted) start(false);
        else if (!ready) {
          ready = true;
          onReady?.();
        }
      },
      (error) => {
        work = undefined;
        unembedded = true;
        onFailure(error);
      },
    );
  }

  return {
    current: () => work,
    afterReading(changed, whole) {
      if (changed) {
        unembedded = true;
        untidy ||= !whole;
      }
      if (unembedded || (whole && untidy)) start(whole);
    },
  };
}
