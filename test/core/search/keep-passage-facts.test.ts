import { expect, test } from 'vitest';
import type { ChunkRecord } from '../../../src/core/ports.ts';
import { trigramSet } from '../../../src/core/rank/trigrams.ts';
import { keepBySlot, keepPassageFacts } from '../../../src/core/search/keep-passage-facts.ts';

test('what was made of a passage is kept; what is missing is asked for at once', async () => {
  const asked: (readonly number[])[] = [];
  const factsOf = keepBySlot((slots) => {
    asked.push(slots);
    return slots.map((slot) => ({ slot }));
  });
  const [first] = await factsOf([3]);
  expect(await factsOf([4, 3, 5, 4])).toEqual([{ slot: 4 }, { slot: 3 }, { slot: 5 }, { slot: 4 }]);
  expect((await factsOf([3]))[0]).toBe(first);
  expect(asked).toEqual([[3], [4, 5]]);
});

test('when all places are taken, the oldest makes room for a new one', async () => {
  let made = 0;
  const factsOf = keepBySlot((slots) => {
    made += slots.length;
    return slots.map((slot) => slot % 7);
  });
  const all = Array.from({ length: 16_385 }, (_, slot) => slot);
  expect(await factsOf(all)).toEqual(all.map((slot) => slot % 7));
  made = 0;
  await factsOf([16_384, 16_384, 1]);
  expect(made).toBe(0);
  await factsOf([0]);
  expect(made).toBe(1);
});

test('a passage is read once; the overlap it begins with and blank space around it are no part of what it says', async () => {
  const reads: number[] = [];
  const chunk = { text: 'before\n\n new\nlines\n', overlap: 7, startLine: 5 } as ChunkRecord;
  const { sketches, firstLines } = keepPassageFacts({
    texts: (slots) => slots.map(() => chunk.text.slice(chunk.overlap)),
    chunks(slots) {
      reads.push(...slots);
      return slots.map((slot) => (slot === 3 ? chunk : undefined));
    },
  });
  expect(await sketches([3])).toEqual([trigramSet('new\nlines').sketch]);
  expect([...(await firstLines([3])), ...(await firstLines([3, 4]))]).toEqual([7, 7, undefined]);
  expect(reads).toEqual([3, 4]);
});
