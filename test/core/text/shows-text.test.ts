import { expect, test } from 'vitest';
import { showsText } from '../../../src/core/text/shows-text.ts';

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
])('%j: %s', (text, expected) => {
  expect(showsText(text)).toBe(expected);
});
