/** What kind of question a query is: one table of signs, read from the top. */
import type { QueryType } from '../model/query.ts';

export interface Classification {
  readonly type: QueryType;
  /** The sign that decided, in words; absent when there was none. */
  readonly reason?: string;
}

/**
 * The first sign found decides: an identifier in a question makes it factual, not exploratory.
 * @param text what is asked, without filters and exclusions
 */
export function classify(text: string): Classification {
  for (const { type, signs } of TABLE) {
    for (const [reason, pattern] of Object.entries(signs)) {
      if (pattern.test(text)) return { type, reason };
    }
  }
  return { type: 'exploratory' };
}

/** What stands after a number that measures something: `1.5 million`, `2.5 GB`, `14.30 Uhr`. */
const MEASURES = [
  'percent|thousand|million|billion|times|degrees|points|euros?|dollars?|pounds?',
  "(?:milli|micro|nano)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|uhr|[ap]m|o[’']clock",
  '[kmgt]i?b|[kcm]?m|k?g|[kmg]?hz|ms|s|h|x|°c?',
].join('|');

/** `v2`, `22.18`, `1.2.3`; not a share, a price, a measure, a date (`31.12.2026`), or a time (`at 14.30`). */
const VERSION = new RegExp(
  String.raw`(?<![\p{L}\p{N}.]|[$€£¥]\s?)(?!\d{1,2}\.\d{1,2}\.(?:19|20)\d\d(?!\d))` +
    String.raw`(?:v\d+(?:\.\d+)*|(?<!(?<!\p{L})at\s)\d+(?:\.\d+)+)` +
    String.raw`(?!\s?%|[\p{L}\p{N}]|[.,]\d|\s(?:${MEASURES})(?![\p{L}\p{N}]))`,
  'iu',
);

/** Latin, Spanish, Arabic, Greek, Armenian, Ethiopic, full-width and small forms, and doubled ones. */
const QUESTION_MARK = /[?¿؟;՞፧？﹖⁇⁈⁉]|;\s*$/u;
const INTERROGATIVES = 'what why how when where who whom whose which';
const FIRST_WORD = /^[^\p{L}]*\p{L}+/u;

/** Whether a text has a question mark or begins with an interrogative; `is valid` may be a name. */
export function isQuestion(text: string): boolean {
  return QUESTION_MARK.test(text) || words(INTERROGATIVES).test(FIRST_WORD.exec(text)?.[0] ?? '');
}

/**
 * Brand names (GitHub, iPhone) are no identifiers: camelCase begins with two small letters, and a name that begins
 * with a capital needs two more inside.
 */
const TABLE: readonly {
  readonly type: QueryType;
  readonly signs: Readonly<Record<string, RegExp>>;
}[] = [
  {
    type: 'factual',
    signs: {
      backticks: /`[^`]+`/,
      camelCase:
        /(?<![\p{L}\p{N}])(?:\p{Ll}{2}[\p{Ll}\p{N}]*\p{Lu}|\p{Lu}[\p{Ll}\p{N}]+\p{Lu}[\p{Ll}\p{N}]+\p{Lu})/u,
      snake_case: /[\p{L}\p{N}]_+[\p{L}\p{N}]|(?<![\p{L}\p{N}_])__[\p{L}\p{N}]/u,
      'version number': VERSION,
      'quoted phrase': /["“”„‟«»＂][^"“”„‟«»＂\p{L}\p{N}]*[\p{L}\p{N}][^"“”„‟«»＂]*["“”„‟«»＂]/u,
    },
  },
  {
    type: 'navigational',
    signs: {
      'wiki link': /\[\[[^[\]]+\]\]/,
      'word for a place in documents': words(
        'section sections chapter chapters guide guides tutorial tutorials docs documentation reference references page pages',
      ),
    },
  },
  {
    type: 'exploratory',
    signs: {
      'question mark': QUESTION_MARK,
      'question word': words(`${INTERROGATIVES} can could should does do is are`),
    },
  },
];

/** Any of the words of a list, whole and in any case. */
function words(list: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${list.replaceAll(' ', '|')})(?![\\p{L}\\p{N}_-])`, 'iu');
}
