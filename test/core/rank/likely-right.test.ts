import fc from 'fast-check';
import { expect, test } from 'vitest';
import { likelyRight } from '../../../src/core/rank/confidence.ts';

test('a document far ahead is likely right, one of many equals is not', () => {
  expect(likelyRight(0.95, [0.5, 0.4, 0.4, 0.3, 0.3])).toBeGreaterThan(0.9);
  expect(likelyRight(0.95, [0.95, 0.94, 0.94, 0.93, 0.93])).toBeLessThan(0.5);
  expect(likelyRight(0.95, [])).toBeGreaterThan(0.9);
});

test('is a probability, and rises with the lead over each document below', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, fc.array(share, { minLength: 1, maxLength: 7 }), fc.nat(6), (fused, below, at) => {
      const ranked = below.toSorted((a, b) => b - a);
      const right = likelyRight(fused, ranked);
      expect(right).toBeGreaterThan(0);
      expect(right).toBeLessThan(1);
      const nearer = ranked.map((each, place) => (place === at ? each : each / 2));
      expect(likelyRight(fused, nearer)).toBeGreaterThanOrEqual(right);
    }),
  );
});
