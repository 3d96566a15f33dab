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

/** Terms lie inside the text, in order of position; segments are the text, one after the other. */
export const languagesTarget = fuzzTarget(
  'languages',
  fc.tuple(fc.constantFrom(...analyzers), text),
  ([{ language, tokenize, segment, isStopWord }, written]) => {
    const wrong = tokenViolations(written, tokenize);
    let end = 0;
    for (const { segment: word, index } of segment?.(written) ?? []) {
      if (index !== end || !written.startsWith(word, index)) wrong.push(`${word} does not stand at ${index}`);
      end = index + word.length;
    }
    if (segment && end !== written.length) wrong.push(`segments end at ${end}`);
    for (const word of written.split(/\s+/).slice(0, 5)) isStopWord(word);
    return wrong.map((each) => `${language}: ${each}`);
  },
);
