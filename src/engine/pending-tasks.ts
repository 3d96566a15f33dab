/** Tracks pending promises, so that nothing is closed while they use it. */
export function createPendingTasks() {
  const running = new Set<Promise<unknown>>();
  return {
    /** Remembers a promise until it settles, and returns it. */
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
