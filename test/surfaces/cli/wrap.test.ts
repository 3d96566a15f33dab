import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { wrap } from '../../../src/surfaces/cli/text-width.ts';

const plain = (text: string) => [{ text, marked: false }];
const star = (text: string) => `*${text}*`;

test('breaks at spaces', () => {
  expect(wrap(plain('one two three'), 8, star).lines).toEqual(['one two', 'three']);
});

test('counts cells, so that wide characters and emoji fill two', () => {
  expect(wrap(plain('漢字とかな'), 4, star).lines).toEqual(['漢字', 'とか', 'な']);
  expect(wrap(plain('👩‍👩‍👧 👩‍👩‍👧'), 4, star).lines).toEqual(['👩‍👩‍👧', '👩‍👩‍👧']);
});

test('cuts a word only when it alone is wider than a line', () => {
  expect(wrap(plain('a abcdefgh'), 4, star).lines).toEqual(['a', 'abcd', 'efgh']);
});

test('never cuts a web address, which stands on a line of its own', () => {
  const url = 'https://example.org/a/long/path?with=query';
  expect(wrap(plain(`see <${url}> there`), 12, star).lines).toEqual(['see', `<${url}>`, 'there']);
});

test('an address stays beside the mark of its list item', () => {
  const url = 'https://example.org/a/long/path?with=query';
  expect(wrap(plain(`- <${url}>\n12. ${url}`), 12, star).lines).toEqual([`- <${url}>`, `12. ${url}`]);
});

test('marks survive a line break, and the line of the longest mark is known', () => {
  const text = [...plain('one two '), { text: 'three four', marked: true }, ...plain(' end')];
  expect(wrap(text, 8, star)).toEqual({
    lines: ['one two', '*three*', '*four* end'],
    marked: 1,
    continued: [false, true, true],
  });
});

test('no line is wider than asked, and no letter is lost', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🙂', ' ', '\n', '.') });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 12 }), (value, width) => {
      const { lines } = wrap(plain(value), width, star);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.join('').replace(/\s/g, '')).toBe(value.replace(/\s/g, ''));
    }),
  );
});

test('code keeps its indents, prose does not', () => {
  const code = plain('def f():\n    return 1\n');
  expect(wrap(code, 20, star, true).lines).toEqual(['def f():', '    return 1']);
  expect(wrap(code, 20, star).lines).toEqual(['def f():', 'return 1']);
});
