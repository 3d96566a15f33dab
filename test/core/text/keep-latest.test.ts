import { expect, it } from 'vitest';
import { keepLatest } from '../../../src/core/text/keep-latest.ts';

it('keeps the values that were read or written last', () => {
  const kept = keepLatest<string, number>(2);
  kept.set('a', 1);
  kept.set('b', 2);
  expect(kept.get('a')).toBe(1);
  kept.set('c', 3);
  expect(['a', 'b', 'c'].map(kept.get)).toEqual([1, undefined, 3]);
});
