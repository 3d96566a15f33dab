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

it('keeps as many values as fit, by their sizes', () => {
  let most = 10;
  const kept = keepLatest<string, { readonly size: number }>(
    () => most,
    ({ size }) => size,
  );
  const held = () => ['a', 'b', 'c'].filter((key) => kept.get(key));
  kept.set('a', { size: 4 });
  kept.set('b', { size: 5 });
  kept.get('a');
  kept.set('c', { size: 4 });
  expect(held()).toEqual(['a', 'c']);
  kept.set('c', { size: 6 }); // its former size no longer counts
  expect(held()).toEqual(['a', 'c']);
  kept.set('b', { size: 12 });
  expect(held()).toEqual(['b']);
  most = 20;
  kept.set('a', { size: 4 });
  expect(held()).toEqual(['a', 'b']);
});
