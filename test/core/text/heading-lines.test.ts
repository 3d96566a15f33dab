import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdown } from '../../../src/core/markdown/markdown-it.ts';
import { headingLines } from '../../../src/core/text/heading-lines.ts';

test.each([
  ['# A\ntext', [[0, 1, '# A']]],
  ['text\n\n  ###   A b ##', [[2, 3, '  ###   A b ##']]],
  ['A\n-\n\nB\n  ====  ', [[0, 2, 'A'], [3, 1, 'B']]], // biome-ignore format: one heading an entry
  ['# A\nB\n---\nC\n---', [[0, 1, '# A'], [1, 2, 'B'], [3, 2, 'C']]], // biome-ignore format: as above
  ['```\ncode\n```\nA\n---', [[3, 2, 'A']]],
  ['#\n', [[0, 1, '#']]],
  // Not a paragraph of one line: a list, a quote, a table, a rule, more lines.
  ['- a\n---\n\n> a\n---\n\n| a |\n---\n\n1. a\n---\n\na\nb\n---\n\n---\n\n***\n', []],
  ['#a\n\n    # code\n\n####### seven', []],
])('the headings of %j', (text, due) => {
  const found = [...headingLines(text)];
  expect(found.map(({ row, level, line }) => [row, level, line])).toEqual(due);
  for (const { start, end, row, line } of found) {
    expect(text.slice(0, start).split('\n').length - 1).toBe(row);
    expect(text.slice(start, end).startsWith(line)).toBe(true);
    expect(text.charAt(end) || '\n').toBe('\n');
  }
});

const block = fc.constantFrom(
  ...['# A', '## B ##', '#c', 'A\n-', 'A\n=', 'A b\n---', ' A\n   ==  ', 'text', 'more\nlines'],
  ...['- a\n---', '> a\n===', '1. a\n---', '---', '***', '    # code', '[a](b)\n---', '**a**\n-'],
);

test('are those of markdown-it, where no paragraph of two lines is one', () =>
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
      // A line without a mark ends a list, which would take the next block for its own.
      const text = blocks.join('\n\nend\n\n');
      const due = markdown
        .parse(text, {})
        .flatMap(({ type, tag, map }) => (type === 'heading_open' ? [[map![0], Number(tag.slice(1))]] : []));
      expect([...headingLines(text)].map(({ row, level }) => [row, level])).toEqual(due);
    }),
  ));
