import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diversify, marginalRelevance } from '../../../src/core/rank/variety.ts';

interface Item {
  readonly relevance: number;
  readonly place: number;
}
const relevanceOf = ({ relevance }: Item) => relevance;
const similarity = (a: Item, b: Item) => 1 - Math.abs(a.place - b.place);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const items = fc
  .array(fc.record({ relevance: share, place: share }), { maxLength: 20 })
  .map((list) => list.sort((a, b) => b.relevance - a.relevance));
const order = (list: readonly Item[], lambda: number) =>
  diversify(list, relevanceOf, similarity, lambda).map(({ item }) => item);

test('relevance 0.8 and greatest similarity 0.9 give 0.29 with λ 0.7', () => {
  expect(marginalRelevance(0.7, 0.8, 0.9)).toBeCloseTo(0.29, 12);
});

test('a new thing comes before a better one that repeats the best', () => {
  const best = { relevance: 1, place: 0 };
  const same = { relevance: 0.9, place: 0 };
  const other = { relevance: 0.7, place: 1 };
  expect(diversify([best, same, other], relevanceOf, similarity, 0.7)).toEqual([
    { item: best, relevance: 1, similarity: 0, value: 0.7 },
    { item: other, relevance: 0.7, similarity: 0, value: expect.closeTo(0.49, 12) },
    { item: same, relevance: 0.9, similarity: 1, value: expect.closeTo(0.33, 12) },
  ]);
});

test('λ 1 changes nothing', () => {
  fc.assert(
    fc.property(items, (list) => {
      expect(order(list, 1)).toEqual(list);
    }),
  );
});

test('the best stays first, none is lost and none comes twice', () => {
  fc.assert(
    fc.property(items, share, (list, lambda) => {
      const ordered = order(list, lambda);
      expect(new Set(ordered)).toEqual(new Set(list));
      expect(ordered).toHaveLength(list.length);
      if (lambda > 0) expect(ordered[0]?.relevance).toBe(list[0]?.relevance);
    }),
  );
});

test('each value is what the formula gives against all that was chosen before', () => {
  fc.assert(
    fc.property(items, share, (list, lambda) => {
      const chosen = diversify(list, relevanceOf, similarity, lambda);
      for (const [index, entry] of chosen.entries()) {
        const before = chosen.slice(0, index).map(({ item }) => similarity(entry.item, item));
        const greatest = Math.max(0, ...before);
        expect(entry.value).toBeCloseTo(marginalRelevance(lambda, entry.item.relevance, greatest), 12);
      }
    }),
  );
});
