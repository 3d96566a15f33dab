import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPathScope } from '../../../src/core/text/paths.ts';

const path = fc
  .array(fc.constantFrom('a', 'b', 'a b', 'ab'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));

test('covers what is named and what lies in it, and leads into the folders above that', () => {
  const scope = createPathScope(['guides', 'notes/2025/may.md']);
  expect(['guides', 'guides/a/b.md', 'notes/2025/may.md'].map(scope.covers)).toEqual([true, true, true]);
  expect(['guides.md', 'guide', 'notes', 'notes/2025', 'notes/2025/may.md.bak'].filter(scope.covers)).toEqual(
    [],
  );
  expect(['', 'notes', 'notes/2025'].map(scope.leadsInto)).toEqual([true, true, true]);
  expect(['guides', 'notes/2024', 'not'].filter(scope.leadsInto)).toEqual([]);
});

test('nothing named is nothing, the empty path everything', () => {
  expect(createPathScope([]).covers('a')).toBe(false);
  expect(createPathScope([]).leadsInto('')).toBe(false);
  expect(createPathScope(['']).covers('a/b')).toBe(true);
  expect(createPathScope(['']).leadsInto('a')).toBe(true);
});

test('agrees with comparing prefixes', () => {
  fc.assert(
    fc.property(fc.array(path), path, (named, asked) => {
      const scope = createPathScope(named);
      expect(scope.covers(asked)).toBe(named.some((each) => `${asked}/`.startsWith(`${each}/`)));
      expect(scope.leadsInto(asked)).toBe(named.some((each) => each.startsWith(`${asked}/`)));
    }),
  );
});
