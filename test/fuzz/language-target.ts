/** Fuzz target: the analyzers of all languages. */
import fc from 'fast-check';
import { loadAnalyzer } from '../../src/adapters/languages/load-analyzers.ts';
import { LANGUAGE_CODES } from '../../src/core/text/languages.ts';
import { arbitraryText } from './arbitrary-text.ts';
import { fuzzTarget } from './fuzz-target.ts';
import { tokenViolations } from './word-targets.ts';

const analyzers = await Promise.all(LANGUAGE_CODES.map(loadAnalyzer));

/** Words of each script, with what belongs to words elsewhere. */
const WORDS = [
  ...[
    'l’été',
    "d'un",
    'qu’',
    'Straße',
    'İstanbul',
    'ıIiİ',
    'çalışmalarımız',
    'søgning',
    'ñandú',
    'naïve',
    'ὁδός',
  ],
  ...['Όσο', 'программирование', 'ёж', 'й', 'հայերեն', 'العربية', 'مُحَمَّد', 'ـــ', 'हिन्दी', 'नेपाली', 'தமிழ்'],
  ...[
    '検索エンジン',
    '中文分詞',
    'カタカナ',
    'ｶﾀｶﾅ',
    'ーー',
    '한국어',
    'ไทย',
    '々〆',
    '𠮷野家',
    '゛',
    '：',
    '、',
    '。',
  ],
  ...[
    '\u0301',
    '\u200d',
    '\u200c',
    '\u00ad',
    "'",
    '’',
    '-',
    ' ',
    '\n',
    '1',
    'ß',
    'ﬁ',
    'Ǆ',
    '\ud842',
    'ing',
    'a',
  ],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((parts) => parts.join(' ')),
  fc.array(fc.constantFrom(...WORDS.join('')), { maxLength: 60 }).map((parts) => parts.join('')),
  arbitraryText.map((whole) => whole.slice(0, 2_000)),
);

/** Terms lie inside the text, in order of position; other ways to write a text have its length. */
export const languagesTarget = fuzzTarget(
  'languages',
  fc.tuple(fc.constantFrom(...analyzers), text),
  ([{ language, tokenize, respell, isStopWord }, written]) => {
    const wrong = tokenViolations(written, tokenize);
    for (const other of respell(written))
      if (other.length !== written.length) wrong.push(`also written ${other}`);
    for (const word of written.split(/\s+/).slice(0, 5)) isStopWord(word);
    return wrong.map((each) => `${language}: ${each}`);
  },
);
