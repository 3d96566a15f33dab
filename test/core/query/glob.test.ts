import fc from 'fast-check';
import picomatch from 'picomatch/posix.js';
import { expect, test } from 'vitest';
import { pathMatcher } from '../../../src/core/query/filter.ts';
import { globMatcher } from '../../../src/core/query/glob.ts';

test.each([
  ['a/**', 'a', true],
  ['a/**/**', 'a', true],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'axb', false],
  ['a**b', 'axb', true],
  ['a**b', 'a/b', false],
  ['a/?.md', 'a/ü.md', true],
  ['[a-c!]*', 'b/x', false],
  ['[!a]b', 'ab', false],
  ['[!a]b', '/b', false],
  ['[]x]', ']', true],
  ['[z-a]', '[z-a]', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['{a,b{c,d}}/x', 'bd/x', true],
  ['{a/**,b}', 'a/x', true],
  ['{a}', '{a}', true],
  ['{a,b', '{a,b', true],
  ['a,b}', 'a,b}', true],
  ['a{,b}', 'a', true],
  ['!a/*', 'a/x', false],
  ['!a/*', 'b/x', true],
])('%s on %s: %s', (glob, path, expected) => {
  expect(globMatcher(glob)(path)).toBe(expected);
});

// Whether `/**` at the end may be empty, picomatch decides by what stands before it.
test('stars mean what they mean to other programs', () => {
  const segment = fc.oneof(
    fc.constantFrom('**', '*', 'a*', '?', 'b', '*a*', '[ab]', '{a,bb}'),
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 2 }),
  );
  const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 });
  const join = (parts: string[]) => parts.join('/');
  fc.assert(
    fc.property(
      fc
        .array(segment, { minLength: 1, maxLength: 4 })
        .map(join)
        .filter((glob) => !glob.endsWith('/**')),
      fc.array(name, { minLength: 1, maxLength: 4 }).map(join),
      (glob, path) => {
        expect(globMatcher(glob)(path)).toBe(picomatch(glob, { dot: true })(path));
      },
    ),
    { numRuns: 1000 },
  );
});

test.each(['*?', '**/', '*a', '{*,*}', '{a,', '[a-z]*'])('many %s are answered at once', (unit) => {
  const start = process.cpuUsage();
  pathMatcher(`${unit.repeat(60)}!`)('a/'.repeat(100) + 'a'.repeat(200));
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(500);
});

test('a pattern of more than 500 characters matches only literally', () => {
  const long = '*'.repeat(501);
  expect(pathMatcher(long)('a')).toBe(false);
  expect(pathMatcher(long)(long)).toBe(true);
});
