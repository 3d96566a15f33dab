/** Long work in steps, so that the caller can do other work between two steps. */

/** Work that pauses every few milliseconds where possible, and at the end returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps without pauses. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
