import { expect, test } from 'vitest';
import { commentsOf, draw, messagesOf, sentencesOf } from '../../scripts/draw-prose.ts';

const SOURCE = [
  '/** What it is for. */',
  "const url = 'https://example.org'; // not a comment inside the text",
  'const pattern = /[/*]/;',
  'const text = `a ${url} // no comment`;',
  '// Two lines',
  '// are one comment.',
  "throw new Error(`The index ${text} is gone. Make it again.`, 'short');",
].join('\n');

test('comments are found where they are, neighbouring lines as one', () => {
  expect(commentsOf('a.ts', SOURCE)).toEqual([
    { place: 'a.ts:1', text: 'What it is for.' },
    { place: 'a.ts:2', text: 'not a comment inside the text' },
    { place: 'a.ts:5', text: 'Two lines are one comment.' },
  ]);
});

test('messages are sentences', () => {
  expect(messagesOf('a.ts', SOURCE)).toEqual([
    { place: 'a.ts:7', text: 'The index ${text} is gone. Make it again.' },
  ]);
});

test('sentences of a page are found in paragraphs, lists and tables', () => {
  const page = [
    '# A heading is no sentence at all',
    '',
    'The index is read. It is opened',
    'when you ask `docfuse search` for something.',
    '- **An item** that has a [sentence](a.md),',
    '  which goes on in this line.',
    '',
    '```sh',
    'docfuse search is code that nobody reads here',
    '```',
    '<!-- a comment that nobody reads here -->',
    '| name | a cell that has a sentence |',
  ].join('\n');
  expect(sentencesOf('a.md', page)).toEqual([
    { place: 'a.md:3', text: 'It is opened when you ask `docfuse search` for something.' },
    { place: 'a.md:5', text: 'An item that has a sentence, which goes on in this line.' },
    { place: 'a.md:12', text: 'a cell that has a sentence' },
  ]);
});

test('one seed draws the same, another one others, each once', () => {
  const all = Array.from({ length: 500 }, (_, index) => ({ place: `a.ts:${index}`, text: '' }));
  expect(draw(all, 50, 1)).toEqual(draw(all, 50, 1));
  expect(draw(all, 50, 1)).not.toEqual(draw(all, 50, 2));
  expect(new Set(draw(all, 50, 3)).size).toBe(50);
  expect(draw(all, 900, 1)).toHaveLength(500);
});
