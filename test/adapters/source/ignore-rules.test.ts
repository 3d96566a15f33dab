import { expect, test } from 'vitest';
import { ignoreRules } from '../../../src/adapters/source/ignore-rules.ts';

/** A path with `/` at the end is a folder. */
function hits(line: string, path: string): boolean {
  const [rule] = ignoreRules(line);
  return rule?.hits(path.replace(/\/$/, '').split('/'), path.endsWith('/')) ?? false;
}

// As `git check-ignore` answers; the fuzz target asks it of as many more as there is time for.
test.each([
  ['a', 'x/a', true],
  ['/a', 'x/a', false],
  ['x/a', 'w/x/a', false],
  ['a/', 'a', false],
  ['a/', 'a/', true],
  ['a/', 'a/b', false],
  ['*', 'a/b', true],
  ['x/*', 'x/a/b', false],
  ['a*b*c', 'aXbXbc', true],
  ['a*b*c', 'aXbXcX', false],
  ['*.md', '.md', true],
  ['a**b', 'aXb', true],
  ['x/a**b', 'x/a/b', false],
  ['**', 'a/b', true],
  ['**/a', 'a', true],
  ['**/x/a', 'v/w/x/a', true],
  ['x/**/a', 'x/a', true],
  ['x/**/a', 'x/y/z/a', true],
  ['x/**', 'x/', false],
  ['x/**', 'x/y/z', true],
  ['x/***/a', 'x/y/z/a', true],
  ['?', '😀', true],
  ['*?', '😀', true],
  ['??', '😀', false],
  ['?', 'x/a', true],
  ['x?a', 'x/a', false],
  ['[!b]', '😀', true],
  ['[ä-ü]', 'ö', true],
  ['[a-c]', 'b', true],
  ['[^a-c]', 'b', false],
  ['[c-a]', 'c', true],
  ['[c-a]', 'b', false],
  ['[a-]', '-', true],
  ['[]a]', ']', true],
  ['[!]]', ']', false],
  ['[\\]]', ']', true],
  ['[a/b]', 'a', true],
  ['[[:upper:][:digit:]]', '7', true],
  ['[[:upper:]]', 'É', false],
  ['[[:none:]a]', 'a', false],
  ['[[:a]', ':', true],
  ['[a', '[a', false],
  ['*[', '[', false],
  ['\\[a', '[a', true],
  ['\\*', 'a', false],
  ['\\a', 'a', true],
  ['a\\', 'a\\', false],
  ['x\\/a', 'x/a', true],
  ['a  ', 'a', true],
  ['a\\ ', 'a ', true],
  ['a\\\\ ', 'a\\', true],
  ['a\t', 'a', false],
  ['a\r', 'a', true],
  ['# a', 'a', false],
  ['\\#a', '#a', true],
  ['\\!a', '!a', true],
  ['A', 'a', false],
  ['/', 'a/', false],
  ['//a', 'a', false],
  ['a//', 'a/', false],
])('%s hits %s: %s', (line, path, expected) => {
  expect(hits(line, path)).toBe(expected);
});

test('a rule that begins with an exclamation mark keeps, and comments and blank lines are none', () => {
  const rules = ignoreRules('# x\r\n\r\n!!a\n\n');
  expect(rules.map(({ isNegated }) => isNegated)).toEqual([true]);
  expect(rules[0]!.hits(['!a'], false)).toBe(true);
});

test.each(['**/a/', '*a', '*?', '/**', '[a-b]*', '[[:', '\\'])('many %s are answered at once', (unit) => {
  const start = process.cpuUsage();
  hits(`${unit.repeat(200)}b`, `${'a/'.repeat(60)}${'a'.repeat(200)}`);
  hits(unit.repeat(50_000), 'a/'.repeat(60));
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(500);
});
