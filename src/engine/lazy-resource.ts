/** A lazy resource, such as a model: opened at its first use and kept until everything is closed. */

export interface LazyResource<T> {
  /** One whose opening failed is opened again. @throws what opening throws */
  get(): Promise<T>;
  /** @returns whether anything was open */
  close(): Promise<boolean>;
}

/** Starts with nothing open. */
export function createLazyResource<T extends { close(): Promise<void> }>(
  opener: () => Promise<T>,
): LazyResource<T> {
  let kept: Promise<T> | undefined;
  return {
    get() {
      kept ??= opener().catch((error) => {
        kept = undefined;
        throw error;
      });
      return kept;
    },
    async close() {
      const former = kept;
      kept = undefined;
      const open = await former?.catch(() => undefined);
      await open?.close();
      return open !== undefined;
    },
  };
}
