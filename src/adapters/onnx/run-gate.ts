/**
 * Stops a thread between two native calls. If a thread is ended during a native call, the runtime's binding throws an error that
 * nothing can catch, and the whole process aborts.
 */

/** Memory that both threads see: whether the worker has to stop, and whether it is in a native call. */
export type RunGate = Int32Array<SharedArrayBuffer>;

const STOPPED = 0;
const INSIDE = 1;

/** Max milliseconds to wait for a native call when the process exits. A batch takes about 100. */
const PATIENCE_MS = 5_000;

export function createRunGate(): RunGate {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Makes a native call for the worker, unless the thread has been told to stop. */
export async function throughGate<Result>(gate: RunGate, call: () => Promise<Result>): Promise<Result> {
  // Set INSIDE, then read STOPPED. The owner sets STOPPED, then reads INSIDE. So at least one of them sees the other's flag.
  Atomics.store(gate, INSIDE, 1);
  try {
    if (Atomics.load(gate, STOPPED) === 1) throw new Error('the thread was told to stop');
    return await call();
  } finally {
    Atomics.store(gate, INSIDE, 0);
    Atomics.notify(gate, INSIDE);
  }
}

/** Tells a thread to stop. Resolves when no native call is running and none will begin. */
export async function stopThread(gate: RunGate): Promise<void> {
  Atomics.store(gate, STOPPED, 1);
  await Atomics.waitAsync(gate, INSIDE, 1).value;
}

/** Like `stopThread`, but blocks the calling thread: an exiting process cannot wait for a promise. */
export function stopThreadNow(gate: RunGate): void {
  Atomics.store(gate, STOPPED, 1);
  Atomics.wait(gate, INSIDE, 1, PATIENCE_MS);
}
