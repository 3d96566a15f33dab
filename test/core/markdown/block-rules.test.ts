/** Quotes and tables are read as markdown-it reads them: quotes in time that grows with their length, tables without tokens for cells. */
import fc from 'fast-check';
import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { blockTokens } from '../../../src/core/markdown/markdown-it.ts';

const plain = new MarkdownIt('commonmark', { maxNesting: 32 }).enable('table');

const outline = (tokens: readonly Token[]) =>
  tokens.map(({ type, map, level, content }) => [type, map, level, content]);

const isOfCell = ({ type, map }: Token) => /^t[hd]_/.test(type) || (type === 'inline' && map === null);

function plainOutline(text: string) {
  const tokens: Token[] = [];
  plain.block.parse(text, plain, {}, tokens);
  return outline(tokens.filter((token) => !isOfCell(token)));
}

test('reads tables, and quotes of fewer lines without a mark than it looks at, just as markdown-it does', () => {
  const line = fc.constantFrom(
    ...[
      '> foo',
      '>     code',
      '> > bar',
      '> - item',
      '> ```',
      '> | a |',
      '> |---|',
      '|---|',
      '>',
      '> # head',
      '  > x',
    ],
    ...[
      'lazy',
      '    four',
      '- item',
      '```',
      '# head',
      '---',
      '',
      '1. one',
      '   deeper',
      '[a]: b',
      '<div>',
      '| a |',
    ],
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const text = lines.join('\n');
      expect(outline(blockTokens(text).tokens)).toEqual(plainOutline(text));
    }),
    { numRuns: 500 },
  );
});

test('a table has tokens for its rows, none for its cells', () => {
  const { tokens } = blockTokens('- | a | b |\n  |---|---|\n  | c | d |\n');
  expect(tokens.map(({ type }) => type)).toContain('tr_open');
  expect(tokens.filter(isOfCell)).toEqual([]);
});

test.each([40, 400])('reads a paragraph that goes on for %i lines without a mark to its end', (lines) => {
  const text = `> first\n${'goes on\n'.repeat(lines)}\nAnother.\n`;
  expect(outline(blockTokens(text).tokens)).toEqual(plainOutline(text));
  expect(blockTokens(text).tokens[1]?.map).toEqual([0, lines + 1]);
});
