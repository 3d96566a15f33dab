/** Makes vectors while further files are read, so that those can be found by words at once. */

import type { DocumentChange, SyncOptions, SyncProgress, SyncReport } from '../api.ts';
import type { Work } from './activity.ts';

export interface KeepEmbeddedOptions {
  readonly sync: (options: SyncOptions) => Promise<SyncReport>;
  /** Stops: no new work begins. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SyncProgress) => void;
  /** Told after each sync. */
  readonly onEnd: (report: SyncReport, changes: readonly DocumentChange[]) => void;
  readonly onFailure: (error: unknown) => void;
  /** Whether every passage has its vector: a sync also ends without vectors if a service is unavailable. */
  readonly isComplete: () => Promise<boolean>;
  /** Told once: every passage has its vector. */
  readonly onReady?: (() => void) | undefined;
}

export interface Embedding {
  /** What is under way. */
  current(): Work | undefined;
  /**
   * Starts if there is something to embed.
   * @param changed whether documents changed
   * @param whole whether all files were compared, and not some
   */
  afterReading(changed: boolean, whole: boolean): void;
}

export function keepEmbedded(options: KeepEmbeddedOptions): Embedding {
  const { sync, signal, onProgress, onEnd, isComplete, onFailure, onReady } = options;
  let work: Work | undefined;
  /** What there is to do; after a part of the files the next sync of all has to tidy up. */
  let owed: 'vectors' | 'tidying' | undefined = 'vectors';
  let ready = false;

  function start(whole: boolean): void {
    owed = whole ? undefined : 'tidying';
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
        onEnd(report, changes);
        if (signal.aborted) return;
        if (owed === 'vectors') start(false);
        else if (!ready) void tellReady();
      },
      (error) => {
        work = undefined;
        owed = 'vectors';
        onFailure(error);
      },
    );
  }

  async function tellReady(): Promise<void> {
    const complete = await isComplete().catch(() => false);
    if (signal.aborted || ready) return;
    ready = complete;
    if (ready) onReady?.();
    // Tried again after the next reading.
    else owed = 'vectors';
  }

  return {
    current: () => work,
    afterReading(changed, whole) {
      if (changed) owed = 'vectors';
      if (!work && (owed === 'vectors' || (whole && owed === 'tidying'))) start(whole);
    },
  };
}
