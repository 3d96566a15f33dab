import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createQuickStat } from '../../../src/adapters/source/quick-stat.ts';

const here = import.meta.filename;

/** A clock that advances by `each` milliseconds whenever it is read. */
function clockOf(each: number): () => number {
  let time = 0;
  return () => {
    time += each;
    return time;
  };
}

test('a fast drive is asked in this thread', async () => {
  const stat = createQuickStat(clockOf(0.05));
  for (let i = 0; i < 2000; i++) expect(stat(here)).not.toBeInstanceOf(Promise);
  expect(() => stat(`${here}.missing`)).toThrow('ENOENT');
});

test('a slow drive is asked in other threads after a moment, missing files too', async () => {
  const stat = createQuickStat(clockOf(1));
  let quick = 0;
  while (!(stat(here) instanceof Promise)) quick++;
  expect(quick).toBe(53);
  expect((await stat(here)).size).toBe(statSync(here).size);
  await expect(stat(`${here}.missing`)).rejects.toThrow('ENOENT');
});
