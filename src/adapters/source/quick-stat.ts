/** Reads size and times of many files: in this thread while that is fast, otherwise in other threads. */
import { type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Milliseconds that a file may take. A file on a local disk takes .004. */
const MAX_EACH = 0.05;
/** Milliseconds by which the latest files together may exceed that, such as on a busy machine. */
const MAX_DEBT = 50;

export type QuickStat = (path: string) => Stats | Promise<Stats>;

/**
 * Returns `stat` for the files of a folder. Asking in other threads takes four times the processor time. A slow drive is asked
 * there all the same: many files at once, and without keeping a server from answering.
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
