/** Tracks pending promises, so that nothing is closed while they use it. */
export function createPendingTasks() {
  const running = new Set<Promise<unknown>>();
  return {
    /** Passes a promise on and remembers it until it settles. */
    track<T>(work: Promise<T>): Promise<T> {
      running.add(work);
      const forget = () => running.delete(work);
      work.then(forget, forget);
      return work;
    },
    /** Resolves when all that is tracked now has settled, well or not. */
    async settled() {
      await Promise.allSettled([...running]);
    },
  };
}
