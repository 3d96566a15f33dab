/** Long work in steps, so that its caller can let other work run in between. */

/** Pauses after every few milliseconds of work at most, where that can be; returns the result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps one after the other. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
