/** Long work in steps: the caller can do other work between steps. */

/** Work that pauses after at most a few milliseconds, if possible, and returns the result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps without pauses. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
