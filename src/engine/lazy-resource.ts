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
