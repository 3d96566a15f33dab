import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeLineEnds } from '../../../src/core/text/lines.ts';
import { plainMarkdown, showsText } from '../../../src/core/text/plain-markdown.ts';
import { markdownFile } from '../../support/markdown-arbitrary.ts';
import { growth, NOISY } from './growth.ts';

describe('plainMarkdown', () => {
  test.each([
    ['a [label](../x.md#y "title") b', 'a label b'],
    ['[![build](https://a/b.svg)](https://c)', 'build'],
    ['![alt text](p.png) and [see][ref]', 'alt text and see'],
    ['![alt](p.png "a \\"title\\"") and \\\\<section name\\>', 'alt and \\<section name>'],
    [
      '9\\. two \\* three, [a\\_b](c\\_d) `e\\_f` C:\\temp *it* end\\\nof line',
      '9. two * three, a_b e\\_f C:\\temp it end\nof line',
    ],
    ['```\na\\*b\n```\n| a \\| b |', 'a\\*b\na | b'],
    ['[[Note]], [[Note#Head|label]], ![[Other]]', 'Note, label, Other'],
    ['| a | [[N\\|l]] |', 'a | l'],
    ['[[some text|a.b.c#part]] | [[some text\\|dendron://vault/a]] |', 'some text | some text'],
    ['![[dendron://vault/a.b#part]]', 'a.b#part'],
    ['**bold** *it* ***both*** _it_ __two words__ ~~gone~~ ==mark==', 'bold it both it two words gone mark'],
    ['`a * b * c` and ``x ` y``', 'a * b * c and x ` y'],
    ['snake_case_name 2 * 3 * 4 __init__ **kwargs', 'snake_case_name 2 * 3 * 4 __init__ **kwargs'],
    ['## Head\n\ntext', 'Head\n\ntext'],
    ['Head\n====\ntext', 'Head\ntext'],
    ['> quoted\n> lines', 'quoted\nlines'],
    ['one\ntwo\n- item\n- item', 'one two\n- item\n- item'],
    ['| a | b |\n|---|:-:|\n| c | d |', 'a | b\nc | d'],
    ['end of a cell | b |  \n| c | d |\n| e | begin', 'end of a cell | b\nc | d\ne | begin'],
    ['end of a cell   |\n| c | beg', 'end of a cell\nc | beg'],
    ['end of a cell | b  |', 'end of a cell | b'],
    ['| a | b |\n| c\n\nd |\n\n|x| = 1', 'a | b\nc\n\nd |\n\n|x| = 1'],
    ['```ts\nconst a = b * c * d;\n```\nend', 'const a = b * c * d;\nend'],
    ['<kbd>Ctrl</kbd><br/>List<String> <!-- no --><https://x.y>', 'CtrlList<String> https://x.y'],
    ['- [ ] task [x]', '- [ ] task [x]'],
    ['## Head { #head .wide }\n\nset {x}', 'Head\n\nset {x}'],
    ['one\n///\ntwo\n\n:::\nthree', 'one\ntwo\n\nthree'],
    ['see [it]\n\n[it]: it.md "It"\n[b]: b.md\nend', 'see [it]\n\nend'],
    ['a <dfn title=\'also "this"\'>term</dfn>', 'a term'],
  ])('%j is %j', (markdown, plain) => {
    expect(plainMarkdown(markdown).text).toBe(plain);
  });

  test('moves ranges along, and drops those of which nothing is shown', () => {
    const text = '**see** [foo bar](url-foo) foo';
    const ranges = ['see', 'foo bar', 'url', 'foo'].map((word, index): [number, number] => {
      const start = index === 3 ? text.lastIndexOf(word) : text.indexOf(word);
      return [start, start + word.length];
    });
    const plain = plainMarkdown(text, ranges);
    expect(plain.text).toBe('see foo bar foo');
    expect(plain.ranges.map(([start, end]) => plain.text.slice(start, end))).toEqual([
      'see',
      'foo bar',
      'foo',
    ]);
  });

  test('leaves plain text alone', () => {
    const word = fc.constantFrom(
      'plain',
      'a_b',
      '2 * 3',
      'x.',
      'C++',
      '汉字',
      '👨‍👩‍👧',
      'a|b',
      'f(x)',
      '[1]',
      'a < b',
      '#tag',
      '--flag',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        const text = `So ${words.join(' ')}`;
        expect(plainMarkdown(text)).toEqual({ text, ranges: [] });
      }),
    );
  });

  test('ranges stay in order, in the text, and over the same words', () => {
    fc.assert(
      fc.property(markdownFile, (file) => {
        const text = normalizeLineEnds(file);
        const given = Array.from(
          text.matchAll(/\p{L}+/gu),
          ({ index, 0: word }) => [index, index + word.length] as const,
        );
        const plain = plainMarkdown(text, given);
        const letters = new Set(given.map(([start, end]) => text.slice(start, end)));
        let at = 0;
        for (const [start, end] of plain.ranges) {
          expect(start).toBeGreaterThanOrEqual(at);
          at = end;
          const word = plain.text.slice(start, end);
          expect(
            [...letters].some((letter) => letter.includes(word)),
            word,
          ).toBe(true);
        }
        expect(at).toBeLessThanOrEqual(plain.text.length);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    '[',
    '`',
    '![](',
    '[[a|',
    '<!--',
    '](',
    '*a ',
    '_',
    '\n\n',
    '```\n',
    '| |',
    '> ',
    '<b ',
    '(',
    '== ',
    ' ',
  ])('takes time linear in %j repeated', NOISY, (unit) => {
    expect(growth((text) => plainMarkdown(text), unit)).toBeLessThan(4);
  });

  test('takes time in step with blank space where a destination would stand', NOISY, () => {
    expect(growth((text) => plainMarkdown(`[a](${text}`), '\n')).toBeLessThan(4);
  });
});

test.each([
  ['', false],
  [' \n\t', false],
  ['[a]: https://example.org "A"\n[b]: /b\n', false],
  ['![](diagram.png)\n', false],
  ['![A diagram](diagram.png)\n', true],
  ['<!-- a note\nto myself -->\n', false],
  ['<br/>\n\n---\n', false],
  ['```\n```\n', false],
  ['```\ncode\n```\n', true],
  ['## Links\n\n[a]: /a\n', true],
  ['[^1]: A footnote.', true],
  ['👍', true],
])('%j shows text: %s', (text, expected) => {
  expect(showsText(text)).toBe(expected);
});
