import { expect, test } from 'vitest';
import { createPace } from '../../../src/surfaces/cli/progress.ts';

test('time left follows the share of the work, where things are not alike, else their number', () => {
  let now = 0;
  const measure = createPace(() => now);
  expect(measure({ phase: 'read', done: 0, total: 10 }).seconds).toBe(Number.POSITIVE_INFINITY);
  now = 4000;
  expect(measure({ phase: 'read', done: 2, total: 10 })).toEqual({ rate: 0.5, seconds: 16 });
  measure({ phase: 'embed', done: 100, total: 300, share: 0 });
  now = 5_000;
  expect(measure({ phase: 'embed', done: 110, total: 300, share: 0.01 })).toEqual({
    rate: 10,
    seconds: Number.POSITIVE_INFINITY,
  });
  now = 14_000;
  expect(measure({ phase: 'embed', done: 200, total: 300, share: 0.1 })).toEqual({ rate: 10, seconds: 90 });
});
