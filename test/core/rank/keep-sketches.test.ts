import { expect, test } from 'vitest';
import { keepSketches } from '../../../src/core/rank/keep-sketches.ts';
import { trigramSet } from '../../../src/core/rank/trigrams.ts';

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
