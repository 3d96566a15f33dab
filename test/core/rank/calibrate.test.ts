import fc from 'fast-check';
import { expect, test } from 'vitest';
import { neverRising, sigmoid } from '../../../src/core/rank/confidence.ts';
import { rescaleReciprocal } from '../../../src/core/rank/fuse.ts';

test.each([
  [0.0325, 0.4073],
  [0.035, 0.5],
  [0.05, 0.9047],
  [0.02, 0.0953],
])('sigmoid of %f is %f', (score, expected) => {
  expect(sigmoid(score, { threshold: 0.035, steepness: 150 })).toBeCloseTo(expected, 4);
});

test('a ranking alone is rescaled to two', () => {
  expect(rescaleReciprocal(1 / 61, 1)).toBeCloseTo(2 / 61, 9);
  expect(rescaleReciprocal(2 / 61, 2)).toBeCloseTo(2 / 61, 9);
  expect(rescaleReciprocal(0, 0)).toBe(0);
});

test('confidence never rises down the list, never changes the first, and stays in range', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) => {
      const result = neverRising(values);
      expect(result).toHaveLength(values.length);
      if (values.length > 0) expect(result[0]).toBe(values[0]);
      for (let index = 1; index < result.length; index++) {
        expect(result[index]!).toBeLessThanOrEqual(result[index - 1]!);
        expect(result[index]!).toBeLessThanOrEqual(values[index]!);
      }
    }),
  );
});
