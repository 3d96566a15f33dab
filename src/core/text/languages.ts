/** The languages a collection can have, and what analysis needs to know about each. */

export interface Language {
  readonly name: string;
  /** Matches words that have only letters the stemmer knows. Other words are analysed as in `auto`. */
  readonly letters?: RegExp;
  /** Pattern of elided words, which are joined to the next word: `l` in `l'eau`. */
  readonly elided?: string;
}

const LATIN = /^\p{Script=Latin}+$/u;
const ROMANCE_ITALIAN =
  'c|d|l|m|n|s|t|v|un|all|dall|dell|nell|sull|coll|pell|agl|dagl|degl|negl|sugl|gl|quell|quest';

/** Languages by ISO 639-1 code, and `auto`. Japanese, Chinese and Korean have a segmenter instead of a stemmer. */
export const LANGUAGES = {
  auto: { name: 'automatic' },
  ar: { name: 'Arabic', letters: /^[\p{Script=Arabic}\p{M}]+$/u },
  da: { name: 'Danish', letters: LATIN },
  de: { name: 'German', letters: LATIN },
  el: { name: 'Greek', letters: /^\p{Script=Greek}+$/u },
  en: { name: 'English' },
  es: { name: 'Spanish', letters: LATIN },
  fi: { name: 'Finnish', letters: LATIN },
  fr: { name: 'French', letters: LATIN, elided: 'c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu' },
  ga: { name: 'Irish', letters: LATIN },
  hi: { name: 'Hindi', letters: /^[\p{Script=Devanagari}\p{M}]+$/u },
  hu: { name: 'Hungarian', letters: LATIN },
  hy: { name: 'Armenian', letters: /^\p{Script=Armenian}+$/u },
  id: { name: 'Indonesian', letters: LATIN },
  it: { name: 'Italian', letters: LATIN, elided: ROMANCE_ITALIAN },
  ja: { name: 'Japanese' },
  ko: { name: 'Korean' },
  ne: { name: 'Nepali', letters: /^[\p{Script=Devanagari}\p{M}]+$/u },
  nl: { name: 'Dutch', letters: LATIN },
  no: { name: 'Norwegian', letters: LATIN },
  pt: { name: 'Portuguese', letters: LATIN },
  ro: { name: 'Romanian', letters: LATIN },
  ru: { name: 'Russian', letters: /^\p{Script=Cyrillic}+$/u },
  sv: { name: 'Swedish', letters: LATIN },
  ta: { name: 'Tamil', letters: /^[\p{Script=Tamil}\p{M}]+$/u },
  tr: { name: 'Turkish', letters: LATIN },
  zh: { name: 'Chinese' },
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageCode = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly LanguageCode[];
