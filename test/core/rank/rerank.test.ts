import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rerank } from '../../../src/core/search/rerank-candidates.ts';

test('a blend orders by the mean of confidence and relevance', () => {
  const order = rerank([0.8, 0.6, 0.5], [0.1, 0.2, 0.9], 'blend');
  expect(order.map(({ index }) => index)).toEqual([2, 0, 1]);
  expect(order.map(({ value }) => value)).toEqual([0.7, 0.45, 0.4]);
});

test('replacing orders by relevance alone', () => {
  const order = rerank([0.9, 0.6, 0.5], [0.1, 0.2, 0.3], 'replace');
  expect(order).toEqual([
    { index: 2, value: 0.3 },
    { index: 1, value: 0.2 },
    { index: 0, value: 0.1 },
  ]);
});

test('equal ones keep their order', () => {
  expect(rerank([0.5, 0.5, 0.5], [0.4, 0.7, 0.4], 'replace').map(({ index }) => index)).toEqual([1, 0, 2]);
});

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const candidates = fc.array(fc.tuple(unit, unit), { maxLength: 20 });
const mode = fc.constantFrom('blend', 'replace');

test('loses none, doubles none, and its values stay in 0–1 and never rise', () => {
  fc.assert(
    fc.property(candidates, mode, (pairs, how) => {
      const order = rerank(
        pairs.map(([confidence]) => confidence),
        pairs.map(([, relevance]) => relevance),
        how,
      );
      expect(order.map(({ index }) => index).sort((a, b) => a - b)).toEqual(pairs.map((_, index) => index));
      order.forEach(({ value }, place) => {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(place === 0 ? 1 : order[place - 1]!.value);
      });
    }),
  );
});

test('a cross-encoder that tells nothing apart changes nothing', () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), unit, mode, (confidences, relevance, how) => {
      const falling = confidences.toSorted((a, b) => b - a);
      const order = rerank(falling, new Array<number>(falling.length).fill(relevance), how);
      expect(order.map(({ index }) => index)).toEqual(falling.map((_, index) => index));
    }),
  );
});
