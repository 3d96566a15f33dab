/** The right to write to an index, had by one process at a time and shared by all that one open handle does. */
import { createSerialQueue } from './serial-queue.ts';

export interface WriteAccess {
  /**
   * Waits for other processes, and with `alone` for all that goes on in this one.
   * @returns what gives the right back
   */
  enter(options: { readonly alone: boolean; readonly signal: AbortSignal }): Promise<() => void>;
}

export function createWriteAccess(
  acquire: (signal: AbortSignal) => Promise<{ release(): void }>,
): WriteAccess {
  const entrance = createSerialQueue();
  let lock: { release(): void } | undefined;
  let inside = 0;
  let whenEmpty: (() => void) | undefined;

  function leave(): void {
    if (--inside > 0) return;
    lock?.release();
    lock = undefined;
    whenEmpty?.();
  }

  return {
    enter: ({ alone, signal }) =>
      entrance(async () => {
        if (alone && inside > 0) await new Promise<void>((resolve) => (whenEmpty = resolve));
        whenEmpty = undefined;
        lock ??= await acquire(signal);
        inside++;
        return leave;
      }),
  };
}
