/** Makes similar spellings equal: ignores letter case, accents, width and other compatibility forms. */

/**
 * Removes case and accents, and applies Unicode NFKC: `Café`, `CAFE` and `ｃａｆé` become `cafe`. Keeps marks that make another
 * letter (Japanese voicing, Indic and Thai vowels). Makes interchangeable spellings of Arabic, Persian, Urdu and Hindi equal,
 * as Lucene's normalizers do. Digits of other scripts become 0–9. Idempotent.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(DROPPED, '')
    .replace(SPECIAL_LETTERS, (letter) => SPECIAL_FOLDS.get(letter)!)
    .replace(HINDI_NASALS, '\u0902')
    .normalize('NFC');
}

/** Marks that only decorate a letter, and invisible characters. */
const DROPPED = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f', // accents
    '\\u0483-\\u0489', // Old Cyrillic
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7', // Hebrew points
    '\\u064b-\\u065f\\u0670\\u0640', // Arabic vowel marks and tatweel
    '\\u093c', // dot of Hindi letters in words of Persian and Arabic
    '\\u00ad\\u061c\\u200c-\\u200f\\u2060\\ufe00-\\ufe0f\\ufeff', // soft hyphen, joiners, direction, variants
  ].join('')}]`,
  'g',
);

/** Letters that Unicode does not decompose, and digits of other scripts. */
const SPECIAL_FOLDS: ReadonlyMap<string, string> = new Map([
  ...'ßss æae œoe øo đd ðd þth ħh ıi łl ŧt ςσ ٱا ىي یي ےي کك ڪك ةه ہه ەه'
    .split(' ')
    .map(([letter = '', ...fold]) => [letter, fold.join('')] as const),
  ...[...'០٠۰०০੦૦୦௦౦೦൦๐໐༠၀០'].flatMap((zero) =>
    Array.from(
      { length: 10 },
      (_, digit) => [String.fromCharCode(zero.charCodeAt(0) + digit), `${digit}`] as const,
    ),
  ),
]);

/** Spellings that `fold` replaces by the nasal dot of Hindi: `हिन्दी` is also written `हिंदी`. */
const HINDI_NASALS = /\u0901|\u0928\u094d/g;

const SPECIAL_LETTERS = new RegExp(`[${[...SPECIAL_FOLDS.keys()].join('')}]`, 'g');

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
