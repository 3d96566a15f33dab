import fc from 'fast-check';
import { expect, test } from 'vitest';
import { citationOf, formatPassages, headingsOf } from '../../../src/surfaces/operations/format-passages.ts';
import { passage } from './passage.ts';

const format = (...texts: readonly string[]) =>
  formatPassages(
    texts.map((text) => ({ ...passage, text })),
    ({ document_id }) => document_id,
  );

test('passages are fenced under their citations', () => {
  expect(format(passage.text, 'Use:\n\n```sh\nrotate\n```')).toBe(
    [
      '[1] docs/guides/keys.md:12-14  Keys › Rotating',
      '```',
      'Open the settings.',
      '',
      'Press *Rotate*.',
      '```',
      '',
      '[2] docs/guides/keys.md:12-14  Keys › Rotating',
      '````',
      'Use:',
      '',
      '```sh',
      'rotate',
      '```',
      '````',
    ].join('\n'),
  );
});

test('what is left out of a text cannot make a fence', () => {
  expect(format('``\u200b`\nx').split('\n').slice(1, 3)).toEqual(['````', '```']);
});

test('the title stands where there are no headings', () => {
  expect(headingsOf({ title: 'Two\nlines', heading_path: [] })).toBe('Two lines');
});

test('nothing in a passage can close its fence or pass for another citation', () => {
  const lines = fc.constantFrom('```', '`````', '[2] other.md:1-2  Other', 'text', '', '~~~', '``` `````');
  fc.assert(
    fc.property(
      fc.array(
        fc.array(lines).map((parts) => parts.join('\n')),
        { minLength: 1, maxLength: 4 },
      ),
      (texts) => {
        const rows = format(...texts).split('\n');
        const found: number[] = [];
        for (let at = 0; at < rows.length; at += 1) {
          const number = /^\[(\d+)\] docs\/guides/.exec(rows[at]!)?.[1];
          if (number === undefined) continue;
          found.push(Number(number));
          at = rows.indexOf(rows[at + 1]!, at + 2);
          expect(at).toBeGreaterThan(0);
        }
        expect(found).toEqual(texts.map((_, index) => index + 1));
      },
    ),
  );
});

test('a passage of a file with pages is cited by its page', () => {
  expect(citationOf({ start_line: 12, end_line: 40, page: 3 }, 'book.pdf')).toBe('book.pdf#page=3');
  expect(citationOf({ start_line: 12, end_line: 40 }, 'guide.md')).toBe('guide.md:12-40');
});
