/** Real Markdown, and what becomes of it when it is cut, repeated, nested, spliced and strewn with marks. */
import { readFileSync } from 'node:fs';
// @ts-expect-error it comes without types
import { text as specification, tests } from 'commonmark-spec';
import fc from 'fast-check';
import { markdownFile } from '../support/markdown-arbitrary.ts';

/** The examples of the CommonMark specification; its arrows stand for tabs. */
export const EXAMPLES: readonly string[] = (tests as readonly { readonly markdown: string }[]).map(
  ({ markdown }) => markdown.replaceAll('→', '\t'),
);

const MAX_LENGTH = 20_000;
const PROSE = [
  specification as string,
  ...['README.md', 'ARCHITECTURE.md', 'test/quality/corpus/docs/api/messages-v2.md'].map((path) =>
    readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
  ),
];

/** Marks that mean something to a reader of Markdown, of front matter or of queries. */
export const MARKS: readonly string[] = [
  ...['[', ']', '[[', ']]', '![', '](', '(', ')', '<', '>', '<!--', '-->', '</', '"', "'", '`', '``', '```'],
  ...['~~~', '*', '**', '_', '__', '~~', '==', '#', '##', '\\', '|', '-', '- ', '1. ', '> ', '    ', '\t'],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '---\n',
    '+++\n',
    '===',
    '***',
    '[a]: ',
    '[^1]',
    ': ',
    '://',
    '&amp;',
    '&#0;',
  ],
  ...[
    '|-|',
    '| a |',
    '<b ',
    '<?',
    '<![CDATA[',
    '{',
    '}',
    '{#a}',
    '#tag',
    '@',
    '$',
    '%',
    '%00',
    '\0',
    '\ufeff',
  ],
  ...[
    'a',
    'a_',
    'aB',
    'é',
    'e\u0301',
    '汉',
    'ｱ',
    'กำ',
    '👨‍👩‍👧',
    '\u200d',
    '\u2028',
    '\ud800',
    'std::',
    'C++',
    '.NET',
    "'s",
  ],
];

const slice = fc
  .tuple(fc.constantFrom(...PROSE), fc.nat(), fc.integer({ min: 1, max: 3_000 }))
  .map(([text, at, length]) => text.slice(at % text.length, (at % text.length) + length));

const seedText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...EXAMPLES) },
  { weight: 2, arbitrary: slice },
  { weight: 2, arbitrary: markdownFile },
  fc.array(fc.constantFrom(...MARKS), { maxLength: 60 }).map((marks) => marks.join('')),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

type Mutation = (text: string) => string;

const place = fc.integer({ min: 0, max: 1_000_000 });
const at = (text: string, where: number) => where % (text.length + 1);
const linesThrough = (change: (line: string) => string) => (text: string) =>
  text.split('\n').map(change).join('\n');

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  place.map((where) => (text: string) => text.slice(0, at(text, where))),
  place.map((where) => (text: string) => text.slice(at(text, where))),
  fc.tuple(place, fc.nat(40)).map(([where, length]) => (text: string) => {
    return text.slice(0, at(text, where)) + text.slice(at(text, where) + length);
  }),
  fc
    .tuple(place, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 2, max: 200 }))
    .map(([where, length, times]) => (text: string) => {
      const from = at(text, where);
      return text.slice(0, from) + text.slice(from, from + length).repeat(times) + text.slice(from + length);
    }),
  fc.tuple(place, fc.constantFrom(...MARKS), fc.integer({ min: 1, max: 30 })).map(
    ([where, mark, times]) =>
      (text: string) =>
        text.slice(0, at(text, where)) + mark.repeat(times) + text.slice(at(text, where)),
  ),
  fc
    .tuple(fc.constantFrom('> ', '- ', '1. ', '    ', '\t', '# ', '| '), fc.integer({ min: 1, max: 12 }))
    .map(([prefix, depth]) => linesThrough((line) => prefix.repeat(depth) + line)),
  fc
    .tuple(
      fc.constantFrom(
        ['[', '](x)'],
        ['**', '**'],
        ['[[', ']]'],
        ['<b>', '</b>'],
        ['`', '`'],
        ['---\n', '\n---\n'],
      ),
      fc.integer({ min: 1, max: 20 }),
    )
    .map(
      ([[open, close], depth]) =>
        (text: string) =>
          open!.repeat(depth) + text + close!.repeat(depth),
    ),
  fc.tuple(place, seedText).map(([where, other]) => (text: string) => {
    return text.slice(0, at(text, where)) + other + text.slice(at(text, where));
  }),
  fc.constantFrom('\r\n', '\r', '').map((end) => (text: string) => text.replaceAll('\n', end)),
);

/** Text like that of files, up to 20,000 characters. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .tuple(seedText, fc.array(mutation, { maxLength: 4 }))
  .map(([text, mutations]) => mutations.reduce((all, mutate) => mutate(all).slice(0, MAX_LENGTH), text));

/** The same, a few lines long. */
export const arbitraryLine: fc.Arbitrary<string> = arbitraryText.map((text) => text.slice(0, 400));
