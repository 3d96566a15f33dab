/** Makes work wait for other work, for a resource, or for the lock of an index. */
import type { WriteLock } from '../core/storage.ts';

/** Tracks pending promises, so that nothing is closed while they use it. */
export function createPendingTasks() {
  const running = new Set<Promise<unknown>>();
  return {
    track<T>(work: Promise<T>): Promise<T> {
      running.add(work);
      const forget = () => running.delete(work);
      work.then(forget, forget);
      return work;
    },
    /** Resolves when all promises that are tracked now have resolved or rejected. */
    async settled() {
      await Promise.allSettled([...running]);
    },
  };
}

/** Replaces the error of stopped work by the reason of its signal. */
export async function withReason<T>(work: Promise<T> | T, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

/** Makes a lazy resource, such as a model: opened at its first use and kept open until `close`. */
export function createLazyResource<T extends { close(): Promise<void> }>(opener: () => Promise<T>) {
  let kept: Promise<T> | undefined;
  return {
    /** If opening failed, the next call tries again. @throws what opening throws */
    get(): Promise<T> {
      kept ??= opener().catch((error) => {
        kept = undefined;
        throw error;
      });
      return kept;
    },
    /** @returns whether anything was open */
    async close() {
      const former = kept;
      kept = undefined;
      const open = await former?.catch(() => undefined);
      await open?.close();
      return open !== undefined;
    },
  };
}

/** Runs one task at a time, in the order of the calls. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

/**
 * Makes the function that enters an index to write it. One process has the lock at a time, and all calls of one open handle share it.
 * @param beforeRelease called when the last call ends its access. If it fails, the lock is given up all the same
 */
export function createWriteAccess(
  acquire: (signal: AbortSignal) => Promise<WriteLock>,
  beforeRelease: () => void,
) {
  const entrance = createSerialQueue();
  let lock: WriteLock | undefined;
  let inside = 0;
  let whenEmpty: (() => void) | undefined;

  function leave(): void {
    if (--inside > 0) return;
    try {
      beforeRelease();
    } finally {
      lock?.release();
      lock = undefined;
      whenEmpty?.();
    }
  }

  /**
   * Waits for the lock. With `alone`, waits first until all other calls of this handle have ended their access.
   * @returns a function that ends the access
   */
  return (alone: boolean, signal: AbortSignal) =>
    entrance(async () => {
      if (alone && inside > 0) await new Promise<void>((resolve) => (whenEmpty = resolve));
      whenEmpty = undefined;
      lock ??= await acquire(signal);
      inside++;
      return leave;
    });
}
