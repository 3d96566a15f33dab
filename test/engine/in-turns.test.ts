import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atOnce, type Steps } from '../../src/core/steps.ts';
import { inTurns } from '../../src/engine/workspace/writer.ts';

/** A second of work, a millisecond a step. */
function* work(done: { steps: number }): Steps<string> {
  for (; done.steps < 1000; done.steps++) {
    for (const end = performance.now() + 1; performance.now() < end; );
    yield;
  }
  return 'result';
}

test('others have their turn while the work goes on, and it gives its result', async () => {
  const done = { steps: 0 };
  const working = inTurns(work(done));
  await nextTurn();
  expect(done.steps).toBeGreaterThan(0);
  expect(done.steps).toBeLessThan(500);
  expect(await working).toBe('result');
  expect(atOnce(work(done))).toBe('result');
});
