/** Keeps something open while it is used and shortly after, and opens it again for the next use. */

/** How long an unused value stays open. The timer does not keep the process alive. */
const IDLE_MS = 2_000;

/**
 * Returns `use`, which opens a value if none is open, and rejects with the error of `open` or of the work.
 * @param value a value that is already open. @default none
 */
export function keepWhileUsed<T>(open: () => Promise<T>, close: (value: T) => Promise<void>, value?: T) {
  let opened: Promise<T> | undefined = value === undefined ? undefined : Promise.resolve<T>(value);
  let users = 0;
  let timer: NodeJS.Timeout | undefined;

  function closeLater(): void {
    timer = setTimeout(() => {
      void opened?.then(close).catch(() => {});
      opened = undefined;
    }, IDLE_MS).unref();
  }

  if (opened) closeLater();
  return {
    async use<R>(work: (value: T) => Promise<R>): Promise<R> {
      clearTimeout(timer);
      users++;
      try {
        opened ??= open().catch((error) => {
          opened = undefined; // the next use tries again
          throw error;
        });
        return await work(await opened);
      } finally {
        if (--users === 0) closeLater();
      }
    },
  };
}
