/** Gathers changes until no more come for a moment: a save is one batch, a checkout a few. */

export interface EventBatch {
  readonly size: number;
  add(id: string): void;
  /** Everything gathered; starts a new batch. */
  take(): readonly string[];
  /** Calls `onReady` again for changes that were not taken. */
  wake(): void;
  close(): void;
}

/** Programs write a file in several steps, milliseconds apart. */
const QUIET_MS = 20;
/** The first change waits at most this long. */
const MAX_MS = 400;

/** @param onReady called when it is time to `take` */
export function createEventBatch(onReady: () => void): EventBatch {
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
    add(id) {
      ids.add(id);
      wake();
    },
    take() {
      const taken = [...ids];
      ids.clear();
      rest();
      return taken;
    },
    wake,
    close: rest,
  };
}
