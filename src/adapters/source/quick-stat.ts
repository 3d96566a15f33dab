/** Reads size and times of many files: in this thread while that is fast, otherwise in other threads. */
import { type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Milliseconds that a file may take. A file on a local disk takes .004. */
const MAX_EACH = 0.05;
/** Milliseconds by which the latest files together may exceed `MAX_EACH`, as on a busy machine. */
const MAX_DEBT = 50;

export type QuickStat = (path: string) => Stats | Promise<Stats>;

/**
 * Makes a `stat` that asks in this thread while that is fast: other threads take four times the processor time. On a slow drive, it
 * asks many files at once in other threads, so that a server can still answer.
 * @param now milliseconds of a clock
 */
export function createQuickStat(now = () => performance.now()): QuickStat {
  let debt = 0;
  return (path) => {
    if (debt > MAX_DEBT) return stat(path);
    const began = now();
    try {
      return statSync(path);
    } finally {
      debt = Math.max(0, debt + now() - began - MAX_EACH);
    }
  };
}
