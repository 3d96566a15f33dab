/** The running work to keep an index up to date, for callers that wait for it. */
import { DocfuseError } from '../../core/errors.ts';
import type { SyncProgress, SyncReport } from '../api.ts';

export interface Activity {
  readonly state: 'idle' | 'reading' | 'embedding';
  /** Files or passages; absent while idle and before the first is done. */
  readonly done?: number;
  readonly total?: number;
}

/** A sync that is under way. */
export interface Work {
  /** Milliseconds, as `performance.now()` has it. */
  readonly began: number;
  readonly done: Promise<SyncReport>;
  progress?: SyncProgress;
}

/** Reading is reported first: until it ends, the number of passages is not known. */
export function activityOf(reading: Work | undefined, embedding: Work | undefined): Activity {
  const work = reading ?? embedding;
  if (!work) return { state: 'idle' };
  const state = work === reading || work.progress?.phase === 'read' ? 'reading' : 'embedding';
  const { done, total } = work.progress ?? {};
  return { state, ...(done !== undefined && total !== undefined && { done, total }) };
}

/** For callers that waited long enough. */
export function busyWith({ state, done, total }: Activity): DocfuseError {
  const [made, all] = [done, total].map((each) => each?.toLocaleString('en'));
  const far = made === undefined ? '' : `: ${made} of ${all} ${state === 'reading' ? 'files' : 'passages'}`;
  return new DocfuseError(
    'index_busy',
    `The index is still being brought up to date${far}.`,
    'Ask again later; searching works meanwhile.',
  );
}
