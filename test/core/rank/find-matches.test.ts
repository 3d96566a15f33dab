/** Words of a query in a text: the native search finds what reading every word finds. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchFinder } from '../../../src/core/rank/find-matches.ts';
import { analyze } from '../../../src/core/text/analyze.ts';
import type { Tokenizer } from '../../../src/core/text/token.ts';

/** Reads every word: only `analyze` itself is searched natively. */
const readAll: Tokenizer = (text, visit) => analyze(text, visit);
const term = (given: string, prefix = false) => ({ term: given, surface: given, prefix });
const foundIn = (text: string, ...terms: string[]) =>
  matchFinder({ terms: terms.map((each) => term(each)) })(text).map(({ start, end }) =>
    text.slice(start, end),
  );

test.each([
  ['Dying, it lied and died.', 'die', ['Dying', 'died']],
  ["d'accord, o'brien's", 'obrien', ["o'brien"]],
  ['a .NET and a std::string_view', 'string', ['string']],
  ['getUserById gets users', 'user', ['User', 'users']],
  ['C++ and c', 'c', ['c']],
  ['we try what was tried', 'tri', ['try', 'tried']],
  ['', 'word', []],
])('in %j, %j matches %j', (text, word, expected) => {
  expect(foundIn(text, word)).toEqual(expected);
});

test('a prefix matches every form of a word whose term begins with it', () => {
  const text = 'Dying leaves lying on ties.';
  for (const [prefix, word] of [
    ['di', 'Dying'],
    ['li', 'lying'],
    ['ti', 'ties'],
  ] as const) {
    const matches = matchFinder({ terms: [term(prefix, true)] })(text);
    expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual([word]);
  }
});

test('without terms nothing is found', () => {
  expect(foundIn('some text')).toEqual([]);
});

test('an ASCII text is read as if every word was read', () => {
  const piece = fc.constantFrom(
    ...[
      'dying ',
      'ties',
      'skies',
      'hopping ',
      'Hoping',
      'use',
      'using ',
      'generously',
      "don't ",
      "'s ",
      'C++20',
      'c ',
    ],
    ...[
      '.NET',
      ' .git',
      '::',
      '__',
      '-',
      '--',
      '...',
      '\n',
      '\t',
      '\u0001',
      '(',
      'getUser',
      'HTTPServer',
      '1,000',
      'é',
    ],
  );
  const text = fc
    .array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ maxLength: 4 })))
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 4 }), fc.boolean(), (given, picks, prefix) => {
      const words: string[] = [];
      analyze(given, (word) => void words.push(word));
      const terms = picks.flatMap((pick) =>
        words.length > 0
          ? term(words[pick % words.length]!.slice(0, prefix ? 1 + (pick % 5) : undefined), prefix)
          : [],
      );
      expect(matchFinder({ terms })(given)).toEqual(matchFinder({ terms }, readAll)(given));
    }),
    { numRuns: 2000 },
  );
});
