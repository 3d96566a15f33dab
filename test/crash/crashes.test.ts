/** A few of the crashes that `node scripts/crash-harness.ts` makes by the hundred. */
import { expect, test } from 'vitest';
import { runCrashes } from './crashes.ts';

test('an index survives kills at any moment, and damage to its log and segments', async () => {
  const report = await runCrashes({ kills: 12, damages: 12, seed: 20261122 });
  expect(report.kills).toBe(12);
  // A kill may come before there is anything to damage.
  expect(report.damages).toBeGreaterThan(6);
  expect(report.rounds).toBeGreaterThan(12);
}, 240_000);
