/** Quotes are read as markdown-it reads them, in time that grows with their length. */
import fc from 'fast-check';
import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { blockTokens } from '../../../src/core/markdown/markdown-it.ts';

const plain = new MarkdownIt('commonmark', { maxNesting: 32 }).enable('table');

const outline = (tokens: readonly Token[]) => tokens.map(({ type, map, content }) => [type, map, content]);

function plainOutline(text: string) {
  const tokens: Token[] = [];
  plain.block.parse(text, plain, {}, tokens);
  return outline(tokens);
}

test('reads quotes of fewer lines without a mark than it looks at just as markdown-it does', () => {
  const line = fc.constantFrom(
    ...[
      '> foo',
      '>     code',
      '> > bar',
      '> - item',
      '> ```',
      '> | a |',
      '> |---|',
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

test.each([40, 400])('reads a paragraph that goes on for %i lines without a mark to its end', (lines) => {
  const text = `> first\n${'goes on\n'.repeat(lines)}\nAnother.\n`;
  expect(outline(blockTokens(text).tokens)).toEqual(plainOutline(text));
  expect(blockTokens(text).tokens[1]?.map).toEqual([0, lines + 1]);
});
