/** Classifies queries by a table of patterns, called signs. */
import { QUERY_TYPES, type QueryType } from '../model/query.ts';
import { SNAKE_CASE } from './code.ts';

/**
 * Classifies a query. The first sign found decides: an identifier in a question makes the question factual, not exploratory.
 * @param text the query without filters and exclusions
 * @returns `reason` is the name of the sign that decided; absent if no sign was found
 */
export function classify(text: string): { readonly type: QueryType; readonly reason?: string } {
  for (const type of QUERY_TYPES) {
    for (const [reason, pattern] of Object.entries(SIGNS[type])) {
      if (pattern.test(text)) return { type, reason };
    }
  }
  return { type: 'exploratory' };
}

/** Words after a number that make it a measure, not a version: `1.5 million`, `2.5 GB`, `14.30 Uhr`. */
const MEASURES = [
  'percent|thousand|million|billion|times|degrees|points|euros?|dollars?|pounds?',
  "(?:milli|micro|nano)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|uhr|[ap]m|o[’']clock",
  '[kmgt]i?b|[kcm]?m|k?g|[kmg]?hz|ms|s|h|x|°c?',
].join('|');

/** Version numbers: `v2`, `22.18`, `1.2.3`. Not percentages, prices, measures, dates (`31.12.2026`) or times (`at 14.30`). */
const VERSION = new RegExp(
  String.raw`(?<![\p{L}\p{N}.]|[$€£¥]\s?)(?!\d{1,2}\.\d{1,2}\.(?:19|20)\d\d(?!\d))` +
    String.raw`(?:v\d+(?:\.\d+)*|(?<!(?<!\p{L})at\s)\d+(?:\.\d+)+)` +
    String.raw`(?!\s?%|[\p{L}\p{N}]|[.,]\d|\s(?:${MEASURES})(?![\p{L}\p{N}]))`,
  'iu',
);

/** Latin, Spanish, Arabic, Greek, Armenian, Ethiopic, full-width, small and doubled question marks. */
const QUESTION_MARK = /[?¿؟;՞፧？﹖⁇⁈⁉]|;\s*$/u;
const INTERROGATIVES = 'what why how when where who whom whose which';
const FIRST_WORD = /^[^\p{L}]*\p{L}+/u;

/**
 * Whether a text has a question mark or begins with an interrogative. `is` and `are` do not count: `is valid` may be a name.
 */
export function isQuestion(text: string): boolean {
  return QUESTION_MARK.test(text) || words(INTERROGATIVES).test(FIRST_WORD.exec(text)?.[0] ?? '');
}

/**
 * Signs by query type. The sign `camelCase` must not match brands (GitHub, iPhone). It matches `getUser` (two lower-case letters,
 * then a capital later in the word) and `MyUserList` (a capital, and two more capitals that are not adjacent).
 */
const SIGNS: Readonly<Record<QueryType, Readonly<Record<string, RegExp>>>> = {
  factual: {
    backticks: /`[^`]+`/,
    camelCase:
      /(?<![\p{L}\p{N}])(?:\p{Ll}{2}[\p{Ll}\p{N}]*\p{Lu}|\p{Lu}[\p{Ll}\p{N}]+\p{Lu}[\p{Ll}\p{N}]+\p{Lu})/u,
    snake_case: SNAKE_CASE,
    'version number': VERSION,
    'quoted phrase': /["“”„‟«»＂][^"“”„‟«»＂\p{L}\p{N}]*[\p{L}\p{N}][^"“”„‟«»＂]*["“”„‟«»＂]/u,
  },
  navigational: {
    'wiki link': /\[\[[^[\]]+\]\]/,
    'word for a place in documents': words(
      'section sections chapter chapters guide guides tutorial tutorials docs documentation reference references page pages',
    ),
  },
  exploratory: {
    'question mark': QUESTION_MARK,
    'question word': words(`${INTERROGATIVES} can could should does do is are`),
  },
};

/** Returns a pattern that matches the words of a list as whole words, ignoring case. */
function words(list: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${list.replaceAll(' ', '|')})(?![\\p{L}\\p{N}_-])`, 'iu');
}
