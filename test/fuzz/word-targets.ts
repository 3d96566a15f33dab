/** Fuzz targets: what takes queries and texts apart into words. */
import fc from 'fast-check';
import { classify } from '../../src/core/query/classify.ts';
import { codeQueryTerms, hasCodeSignal } from '../../src/core/query/code.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import { matchFinder } from '../../src/core/rank/find-matches.ts';
import { snippet } from '../../src/core/rank/snippet.ts';
import { analyze } from '../../src/core/text/analyze.ts';
import { analyzeCode } from '../../src/core/text/identifiers.ts';
import type { Tokenizer } from '../../src/core/text/token.ts';
import { MAX_TERM_LENGTH } from '../../src/core/text/words.ts';
import { arbitraryLine, arbitraryText, MARKS } from './arbitrary-text.ts';
import { fuzzTarget } from './fuzz-target.ts';

const OPERATORS = [
  ...[
    '"',
    '“',
    '”',
    '-',
    '--',
    '*',
    'title:',
    'tag:',
    'path:',
    'author:',
    'category:',
    'lang:',
    'TAG:',
    'lang:ts',
  ],
  ...[
    '-tag:',
    'a*',
    '-word',
    '-"',
    '-xzf',
    ':',
    '::',
    '(',
    ')',
    '[',
    '{',
    '?',
    ',',
    ' ',
    '  ',
    '\t',
    '\n',
    '#',
    '../',
  ],
  ...['to', 'be', 'or', 'not', 'getUserById', 'v1.2.3', 'C#', '日本', 'ไทย', '\u0301', '\ud800'],
];
const query = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...OPERATORS), { maxLength: 30 }).map((parts) => parts.join('')),
  },
  fc
    .array(fc.oneof(fc.constantFrom(...OPERATORS), fc.string({ maxLength: 12 })), { maxLength: 12 })
    .map((parts) => parts.join(' ')),
  arbitraryLine,
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const QUOTES = /["“”„‟«»＂]/g;

/** Nothing is bad syntax; nothing is searched for that was not typed. */
export const queryTarget = fuzzTarget('query', query, (text) => {
  const parsed = parseQuery(text);
  const wrong: string[] = [];
  const typed = text.replace(QUOTES, '');
  const has = (part: string) => typed.includes(part.replace(QUOTES, ''));
  for (const word of parsed.plain.split(/\s+/)) if (!has(word)) wrong.push(`plain says ${word}`);
  const terms = [...parsed.terms, ...parsed.required, ...parsed.excludedTerms];
  for (const { term, surface, count = 1 } of terms) {
    if (term === '' || term.length > MAX_TERM_LENGTH || count < 1) wrong.push(`the term ${term} is none`);
    if (!has(surface)) wrong.push(`the surface ${surface} was never typed`);
  }
  for (const { terms: placed } of [...parsed.phrases, ...parsed.excludedPhrases]) {
    const positions = placed.map(({ position }) => position);
    if (positions[0] !== 0 || positions.some((position, index) => position < (positions[index - 1] ?? 0)))
      wrong.push(`a phrase stands at ${positions}`);
  }
  for (const value of Object.values(parsed.filters).flat()) {
    if (typeof value !== 'string' || value === '') wrong.push('a filter is empty');
  }
  classify(text);
  codeQueryTerms(parsed.plain);
  hasCodeSignal(text);
  return wrong;
});

function tokenizerTarget(name: string, tokenize: Tokenizer) {
  return fuzzTarget(name, fc.oneof(arbitraryText, names), (text) => tokenViolations(text, tokenize));
}

/** What is wrong with where the terms of a text lie. */
export function tokenViolations(text: string, tokenize: Tokenizer): string[] {
  const wrong: string[] = [];
  const positions: number[] = [];
  let last = 0;
  const count = tokenize(text, (term, position, start, end) => {
    if (term === '' || term.length > MAX_TERM_LENGTH) wrong.push(`the term ${JSON.stringify(term)} is none`);
    if (!(start >= 0 && start < end && end <= text.length))
      wrong.push(`${term} lies from ${start} to ${end}`);
    if (position < last) wrong.push(`${term} goes back to ${position}`);
    last = position;
    positions.push(position);
  });
  if (positions.length > 0 && !(last < count)) wrong.push(`position ${last} of ${count}`);
  return wrong;
}

const PARTS = [
  'get',
  'User',
  'ID',
  'x',
  '1',
  '23',
  '_',
  '__',
  '::',
  '->',
  '.',
  '-',
  '--',
  '++',
  '#',
  '~',
  '$',
  '@',
  "'",
  '’',
  '\u0301',
  'İ',
  'ß',
  'ﬁ',
  'Å',
  '汉',
  'ー',
  '한',
  ' ',
];
const names = fc.array(fc.constantFrom(...PARTS, ...MARKS), { maxLength: 60 }).map((parts) => parts.join(''));

/** Terms lie inside the text, in order of position. */
export const proseTarget = tokenizerTarget('prose', analyze);
export const identifiersTarget = tokenizerTarget('identifiers', analyzeCode);

/** A snippet is a stretch of the text, and what is marked in it lies in it, in order. */
export const snippetTarget = fuzzTarget(
  'snippet',
  fc.tuple(arbitraryText, query, fc.nat(300)),
  ([text, asked, length]) => {
    // Words of the text are found more often than those of another.
    const words = `${asked} ${text.slice(length, length + 40)}`;
    const cut = snippet(text, matchFinder(parseQuery(words)), { length: Math.max(20, length) });
    const wrong = text.startsWith(cut.text, cut.start) ? [] : ['it is no stretch of the text'];
    let before = 0;
    for (const [start, end] of cut.matches) {
      if (!(before <= start && start < end && end <= cut.text.length))
        wrong.push(`marked from ${start} to ${end}`);
      before = end;
    }
    return wrong;
  },
);
