/** Runs long work in steps and yields to the event loop in between, so that other calls are answered meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '../core/steps.ts';

/** Milliseconds of work before yielding: short compared with a search, but long enough that yielding costs little. */
export const TURN_MS = 25;

export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let end = performance.now() + TURN_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
}
