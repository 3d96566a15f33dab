import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPassages, formatQuestion } from '../../../src/surfaces/operations/passages-prompt.ts';

const passage = {
  document_id: 'docs/guides/keys.md',
  start_line: 12,
  end_line: 14,
  title: 'Keys',
  heading_path: ['Keys', 'Rotating'],
  text: '\nOpen the settings.\n\nPress *Rotate*.\n',
};

test('passages are numbered under their citations, and the question follows', () => {
  const second = { ...passage, heading_path: [], text: 'Use:\n\n```sh\nrotate\n```' };
  expect(formatQuestion(' How? ', [passage, second])).toBe(
    [
      '[1] docs/guides/keys.md:12-14  Keys › Rotating',
      '```',
      'Open the settings.',
      '',
      'Press *Rotate*.',
      '```',
      '',
      '[2] docs/guides/keys.md:12-14  Keys',
      '````',
      'Use:',
      '',
      '```sh',
      'rotate',
      '```',
      '````',
      '',
      'Question: How?',
    ].join('\n'),
  );
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
        const rows = formatPassages(texts.map((text) => ({ ...passage, text }))).split('\n');
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
