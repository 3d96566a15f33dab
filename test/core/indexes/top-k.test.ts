import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTopK } from '../../../src/core/indexes/top-k.ts';

const idOf = (slot: number) => (1e6 - slot * 7).toString(16).padStart(13, '0');

test('equals the head of a full sort by score, then id, and asks for no id of a slot that scores less', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.nat(200), fc.nat(5)), { selector: ([slot]) => slot }),
      fc.nat(12),
      (offers, k) => {
        const asked = new Set<number>();
        const top = createTopK(k, (slot) => {
          asked.add(slot);
          return idOf(slot);
        });
        for (const [slot, score] of offers) top.offer(slot, score);
        const sorted = offers
          .map(([slot, score]) => ({ slot, score }))
          .sort((a, b) => b.score - a.score || (idOf(a.slot) < idOf(b.slot) ? -1 : 1));
        const least = k === 0 ? Infinity : (sorted[k - 1]?.score ?? 0);
        expect(top.ranked()).toEqual(sorted.slice(0, k));
        expect(offers.filter(([slot, score]) => asked.has(slot) && score < least)).toEqual([]);
      },
    ),
  );
});

test('of many slots with one score, each is asked for its id once', () => {
  const asked: number[] = [];
  const top = createTopK(10, (slot) => {
    asked.push(slot);
    return idOf(slot);
  });
  for (let slot = 0; slot < 1_000; slot++) top.offer(slot, 1);
  expect(top.ranked().map(({ slot }) => slot)).toEqual(Array.from({ length: 10 }, (_, n) => 999 - n));
  expect(asked).toHaveLength(1_000);
});
