import { expect, it } from 'vitest';
import { makeLongPairs, withoutParagraphs } from '../../bench/long-pairs.ts';
import { parseDocument } from '../../src/core/markdown/parse-document.ts';

/** As many different words as a sentence. */
const sentence = (subject: string, words: number) =>
  `The ${Array.from({ length: words }, (_, place) => `${subject}${'abcdefghij'[place % 10]}${'klmnopqrst'[Math.floor(place / 10)]}`).join(' ')} ends.`;

const REST = sentence('rest', 100);
const file = (title: string, ...paragraphs: readonly string[]) =>
  `---\ntags: [x]\n---\n# ${title}\n\n${[`First ${sentence(title, 20)}`, ...paragraphs].join('\n\n')}\n\n${REST}\n`;

const FILES: Readonly<Record<string, string>> = {
  'a.md': file(
    'Alpha',
    `About [the beta page](b.md).\n${sentence('one', 20)}`,
    `> ${sentence('quoted', 20)}`,
  ),
  'b.md': file(
    'Beta',
    `Beta is \`code\`, "quoted" and -minus. ${sentence('two', 20)}`,
    sentence('copied', 20),
  ),
  'c.md': file('Gamma', sentence('copied', 20), `- ${sentence('item', 20)}`, sentence('short', 8)),
  'd.md': file('Delta', `To [nowhere](gone.md). ${sentence('three', 20)}`, `${sentence('four', 70)}`),
};

const documents = Object.entries(FILES).map(([path, text]) => parseDocument(path, text));

it('asks prose that stands once, and not the first paragraph, with what it links to or what it was taken out of', () => {
  const { paragraphs, linked } = makeLongPairs(documents, 10);
  expect(paragraphs).toEqual([
    {
      path: 'b.md',
      query: `Beta is code, quoted and minus. ${sentence('two', 20)}`,
      type: 'title said',
      lines: [8, 8],
      judgements: new Map([['b.md', 2]]),
    },
  ]);
  expect(linked).toEqual([
    {
      path: 'a.md',
      query: `About the beta page. ${sentence('one', 20)}`,
      type: 'title said',
      lines: [8, 9],
      judgements: new Map([
        ['a.md', 1],
        ['b.md', 2],
      ]),
    },
  ]);
});

it('takes the lines of a question out of the file and leaves the others where they are', () => {
  const [pair] = makeLongPairs(documents, 10).linked;
  const left = withoutParagraphs(FILES['a.md']!, [pair!]);
  expect(left.split('\n')).toHaveLength(FILES['a.md']!.split('\n').length);
  expect(left).not.toContain('beta page');
  expect(left).not.toContain('oneak');
  expect(left).toContain(REST);
  expect(left).toContain('quotedak');
});

it('makes the same questions every time, no more than asked', () => {
  expect(makeLongPairs(documents, 10)).toEqual(makeLongPairs(documents, 10));
  expect(makeLongPairs(documents, 0)).toEqual({ paragraphs: [], linked: [] });
});
