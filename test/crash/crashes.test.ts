/** A few of the crashes that `node scripts/crash-harness.ts` makes by the hundred; each damage by itself: test/engine/doctor.test.ts. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { SMALL_MODEL } from '../support/small-model.ts';
import { runCrashes } from './crashes.ts';

test('an index survives kills at any moment, and damage to any part of it', async () => {
  vi.stubEnv('DOCFUSE_EMBEDDING_MODEL', SMALL_MODEL);
  onTestFinished(() => void vi.unstubAllEnvs());
  const report = await runCrashes({ kills: 6, damages: 6, seed: 20261122 });
  expect(report.kills).toBeGreaterThanOrEqual(6);
  expect(report.damages).toBe(6);
  expect(report.rounds).toBeGreaterThan(3);
}, 300_000);
