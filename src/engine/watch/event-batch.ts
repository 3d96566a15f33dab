/** Collects changes until no more arrive for a moment: a save gives one batch, a Git checkout gives a few. */

/** A batch ends after so many milliseconds without a change: programs write a file in several steps, milliseconds apart. */
const QUIET_MS = 20;
/** Max milliseconds from the first change of a batch to the end of the batch. */
const MAX_MS = 400;

/** @param onReady called when a batch has ended; the caller then gets the batch with `take` */
export function createEventBatch(onReady: () => void) {
  const ids = new Set<string>();
  let quiet: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;

  function rest(): void {
    clearTimeout(quiet);
    clearTimeout(deadline);
    quiet = deadline = undefined;
  }
  function ring(): void {
    rest();
    onReady();
  }
  /** Calls `onReady` soon if there are changes that were not taken. */
  function wake(): void {
    if (ids.size === 0) return;
    clearTimeout(quiet);
    quiet = setTimeout(ring, QUIET_MS);
    deadline ??= setTimeout(ring, MAX_MS);
  }

  return {
    get size() {
      return ids.size;
    },
    add(id: string): void {
      ids.add(id);
      wake();
    },
    take(): readonly string[] {
      const taken = [...ids];
      ids.clear();
      rest();
      return taken;
    },
    wake,
    close: rest,
  };
}
