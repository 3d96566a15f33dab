/** No printed score reaches a threshold that the score itself does not reach. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownScore } from '../../../src/core/text/format-numbers.ts';

test('is cut, never rounded up', () => {
  expect([0.2368, 0.24, 0.29, 0.999, 1, 0].map(shownScore)).toEqual([
    ...['0.23', '0.24', '0.29', '0.99', '1.00', '0.00'],
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 10_000 }), (percent, score) => {
      const isBelow = score / 10_000 < percent / 100;
      expect(Number(shownScore(score / 10_000)) < percent / 100).toBe(isBelow);
    }),
  );
});
