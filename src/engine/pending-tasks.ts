/** Tracks pending promises, so that nothing is closed while they use it. */

export interface PendingTasks {
  /** Passes a promise on and remembers it until it settles. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all that is tracked now has settled, well or not. */
  settled(): Promise<void>;
}

export function createPendingTasks(): PendingTasks {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      running.add(work);
      const forget = () => running.delete(work);
      work.then(forget, forget);
      return work;
    },
    async settled() {
      await Promise.allSettled([...running]);
    },
  };
}
