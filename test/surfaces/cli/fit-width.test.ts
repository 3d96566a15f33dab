import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { fitWidth } from '../../../src/surfaces/cli/text-width.ts';

test('breaks at spaces, and indents what goes on', () => {
  expect(fitWidth('one two three', 9)).toBe('one two\n  three');
  expect(fitWidth('  one two three', 9, 4)).toBe('  one two\n    three');
  expect(fitWidth('one two\nthree', 7)).toBe('one two\nthree');
});

test('a path stays whole, a text without spaces does not', () => {
  expect(fitWidth('see notes/a/long/path.md:12 there', 12)).toBe('see\n  notes/a/long/path.md:12\n  there');
  const lines = fitWidth('漢字とかなで書かれた長い表題', 12).split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(12);
});

test('colours fill nothing and are kept', () => {
  const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
  expect(fitWidth(red('one two'), 7)).toBe(red('one two'));
  expect(fitWidth(red('one two three'), 9)).toBe(red('one two\n  three'));
});

test('a deep indent leaves half of the width', () => {
  expect(fitWidth(`${' '.repeat(30)}one two three`, 12, 30)).toBe('      one\n      two\n      three');
});
