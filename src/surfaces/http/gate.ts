/** Bounds how many tasks run at once and how many wait. */

export interface Gate {
  /**
   * Runs a task as soon as there is room; undefined when even the queue is full.
   * @param signal takes a task that still waits out of the queue; the promise rejects with its reason
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> | undefined;
  /** Tasks that run or wait. */
  readonly size: number;
}

export function createGate({
  running,
  waiting,
}: {
  readonly running: number;
  readonly waiting: number;
}): Gate {
  const queue: (() => void)[] = [];
  let active = 0;

  function leave(): void {
    active--;
    queue.shift()?.();
  }

  /** Resolves in the order of coming; who is gone before gives up the place. */
  function enter(signal: AbortSignal | undefined): Promise<void> | undefined {
    if (active < running) {
      active++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      queue.push(admit);
      signal?.addEventListener('abort', giveUp);

      function admit(): void {
        signal?.removeEventListener('abort', giveUp);
        active++;
        resolve();
      }
      function giveUp(): void {
        signal?.removeEventListener('abort', giveUp);
        queue.splice(queue.indexOf(admit), 1);
        reject(signal?.reason);
      }
    });
  }

  return {
    run(task, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (active >= running && queue.length >= waiting) return undefined;
      const turn = enter(signal);
      const perform = () => task().finally(leave);
      return turn === undefined ? perform() : turn.then(perform);
    },
    get size() {
      return active + queue.length;
    },
  };
}
