import { expect, test } from 'vitest';
import type { ChunkRecord } from '../../../src/core/ports.ts';
import { trigramSet } from '../../../src/core/rank/trigrams.ts';
import { keepBySlot, keepPassageFacts } from '../../../src/core/search/keep-passage-facts.ts';

test('what was made of a passage is kept', () => {
  const asked: number[] = [];
  const factOf = keepBySlot((slot) => {
    asked.push(slot);
    return { slot };
  });
  const first = factOf(3);
  expect(factOf(4)).toEqual({ slot: 4 });
  expect(factOf(3)).toBe(first);
  expect(asked).toEqual([3, 4]);
});

test('when all places are taken, the oldest makes room for a new one', () => {
  let made = 0;
  const factOf = keepBySlot((slot) => {
    made++;
    return slot % 7;
  });
  for (let slot = 0; slot <= 16_384; slot++) factOf(slot);
  made = 0;
  for (const slot of [16_384, 16_384, 1]) factOf(slot);
  expect(made).toBe(0);
  factOf(0);
  expect(made).toBe(1);
});

test('a passage is read once; the overlap it begins with and blank space around it are no part of what it says', () => {
  const reads: number[] = [];
  const chunk = { text: 'before\n\n new\nlines\n', overlap: 7, startLine: 5 } as ChunkRecord;
  const { sketchOf, firstLineOf } = keepPassageFacts({
    readTexts: (slots) => slots.map(() => chunk.text.slice(chunk.overlap)),
    readChunks(slots) {
      reads.push(...slots);
      return slots[0] === 3 ? [chunk] : [];
    },
  });
  expect(sketchOf(3)).toEqual(trigramSet('new\nlines').sketch);
  expect([firstLineOf(3), firstLineOf(3), firstLineOf(4)]).toEqual([7, 7, undefined]);
  expect(reads).toEqual([3, 4]);
});
