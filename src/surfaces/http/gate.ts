/** Bounds how many tasks run at once and how many wait. */

export interface Gate {
  /** Runs a task as soon as there is room; undefined when even the queue is full. */
  run<T>(task: () => Promise<T>): Promise<T> | undefined;
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

  function enter(): Promise<void> | undefined {
    if (active < running) {
      active++;
      return undefined;
    }
    return new Promise((resolve) => {
      queue.push(() => {
        active++;
        resolve();
      });
    });
  }

  return {
    run(task) {
      if (active >= running && queue.length >= waiting) return undefined;
      const turn = enter();
      const work = turn === undefined ? task() : turn.then(task);
      return work.finally(leave);
    },
    get size() {
      return active + queue.length;
    },
  };
}
