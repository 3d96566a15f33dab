import { expect, test } from 'vitest';
import { trigramSet } from '../../../src/core/rank/trigrams.ts';
import { keepSketches } from '../../../src/core/search/keep-sketches.ts';

test('when all places are taken, the oldest sketch makes room for a new one', () => {
  let read = 0;
  const sketchOf = keepSketches((slot) => {
    read++;
    return String(slot % 7);
  });
  for (let slot = 0; slot <= 16_384; slot++) sketchOf(slot);
  read = 0;
  for (const slot of [16_384, 16_384, 1]) sketchOf(slot);
  expect(read).toBe(0);
  sketchOf(0);
  expect(read).toBe(1);
});

test('a passage is read once, and its sketch is that of its text without blank space around it', () => {
  const asked: number[] = [];
  const sketchOf = keepSketches((slot) => {
    asked.push(slot);
    return ` passage ${slot}\n`;
  });
  const first = sketchOf(3);
  expect(first).toEqual(trigramSet('passage 3').sketch);
  expect(sketchOf(4)).not.toEqual(first);
  expect(sketchOf(3)).toBe(first);
  expect(asked).toEqual([3, 4]);
});
