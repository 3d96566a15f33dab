import { expect, test } from 'vitest';
import { count, plural } from '../../../src/core/text/format-numbers.ts';
import { formatTime } from '../../../src/surfaces/cli/terminal.ts';

test('numbers are grouped, nouns follow them', () => {
  expect(count(1234567)).toBe('1,234,567');
  expect([plural(1, 'hit'), plural(0, 'hit')]).toEqual(['1 hit', '0 hits']);
});

test.each([
  [0.2, '1 s'],
  [59.4, '1 min 0 s'],
  [299.8, '5 min 0 s'],
  [3_599.5, '1 h 0 min'],
  [7_380, '2 h 3 min'],
])('%d seconds are %s', (seconds, expected) => {
  expect(formatTime(seconds)).toBe(expected);
});
