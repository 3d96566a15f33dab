/** Write access to an index: one process has the lock at a time, and all calls of one open handle share it. */
import { createSerialQueue } from './serial-queue.ts';

interface Lock {
  release(): void;
}

export function createWriteAccess(acquire: (signal: AbortSignal) => Promise<Lock>) {
  const entrance = createSerialQueue();
  let lock: Lock | undefined;
  let inside = 0;
  let whenEmpty: (() => void) | undefined;

  function leave(): void {
    if (--inside > 0) return;
    lock?.release();
    lock = undefined;
    whenEmpty?.();
  }

  return {
    /**
     * Waits for the lock. With `alone`, waits first until all other calls of this handle have ended their access.
     * @returns a function that ends the access
     */
    enter: (alone: boolean, signal: AbortSignal) =>
      entrance(async () => {
        if (alone && inside > 0) await new Promise<void>((resolve) => (whenEmpty = resolve));
        whenEmpty = undefined;
        lock ??= await acquire(signal);
        inside++;
        return leave;
      }),
  };
}
