/**
 * Finds acronyms and their long forms in the collection. Definitions are stored as terms of the keyword index, so they are
 * removed together with their passages.
 */
import type { CollectionWords } from '../model/query.ts';
import { analyze } from '../text/analyze.ts';
import { compareText } from '../text/compare-text.ts';
import { plainWords } from '../text/plain-words.ts';
import type { Tokenizer } from '../text/token.ts';
import { prefixRange, wordAt } from './dictionary.ts';
import { countLive, type LiveSegments, untilChange } from './live-segments.ts';
import type { Analyze } from './segment-builder.ts';

/** Separator before each of the two parts of a definition; no term of a text contains it. */
export const DEFINITION_MARK = '\u0001';

/** Visits each definition of a text as one term. The term has position 0, and adds nothing to the length of the text. */
export function definitionsOf(tokenize: Tokenizer = analyze): Analyze {
  return (text, visit) => {
    for (const { short, long } of findAcronyms(text)) {
      const [name, words] = [termsOf(short, tokenize), termsOf(long, tokenize)];
      if (name.length !== 1 || words.length < 2) continue;
      visit(DEFINITION_MARK + name[0] + DEFINITION_MARK + words.join(' '), 0, 0, 0);
    }
    return 0;
  };
}

/** Returns one term per position. Returns no terms if a word is not indexed: its neighbours would look adjacent. */
function termsOf(text: string, tokenize: Tokenizer): readonly string[] {
  const words = plainWords(text, tokenize);
  return words.every(({ position }, index) => position === index) ? words.map(({ term }) => term) : [];
}

/** Makes the functions that look up definitions. They read the definitions again after every change of the index. */
export function createAcronyms(
  segments: LiveSegments,
): Pick<CollectionWords, 'longFormsOf' | 'shortFormsOf'> {
  const forms = untilChange(segments, () => {
    const terms = new Set(
      segments.all.flatMap(({ segment: { terms } }) => {
        const [from, to] = prefixRange(terms, DEFINITION_MARK);
        return Array.from({ length: to - from }, (_, index) => wordAt(terms, from + index));
      }),
    );
    const live = [...terms]
      .map((term) => ({ parts: term.slice(1).split(DEFINITION_MARK), count: countLive(segments, term) }))
      .filter(({ count }) => count > 0)
      .map(({ parts: [short = '', long = ''], count }) => ({ short, long, count }))
      .sort((a, b) => b.count - a.count || compareText(a.long, b.long) || compareText(a.short, b.short));
    return {
      byShort: Map.groupBy(live, ({ short }) => short),
      byLong: Map.groupBy(live, ({ long }) => long),
    };
  });
  return {
    longFormsOf(asked) {
      const found = forms().byShort.get(asked) ?? [];
      return found.map(({ long }) => long.split(' ').map((term, position) => ({ term, position })));
    },
    shortFormsOf: (terms) => (forms().byLong.get(terms.join(' ')) ?? []).map(({ short }) => short),
  };
}

interface Acronym {
  /** The acronym as written, without the `s` of a plural. */
  readonly short: string;
  /** The expansion as written; at least two words. */
  readonly long: string;
}

/** 2–10 letters and digits, at least two of them capitals. */
const SHORT = /^(?=[^A-Z]*[A-Z][^A-Z]*[A-Z])[A-Za-z][A-Za-z0-9]{1,9}$/;
/** Two or more words, each separated by one space. */
const LONG = /^[\p{L}\p{N}'’+.-]+(?: [\p{L}\p{N}'’+.-]+)+$/u;
/** Max UTF-16 units from the start of a long form to the bracket after it. */
const REACH = 200;
/** Max UTF-16 units between brackets. */
const MAX_LENGTH = 120;
/** Text in brackets. It may contain line breaks, but no blank line. */
const BRACKETS = new RegExp(`\\(((?:[^()\\n]|\\n(?![ \\t]*\\n)){2,${MAX_LENGTH}})\\)`, 'g');
const ALPHANUMERIC = /[\p{L}\p{N}]/u;

/**
 * Finds definitions of acronyms, in the order of the text. Searches the letters of the short form, from last to first, in the
 * words before or inside the brackets. The first letter must begin a word (Schwartz and Hearst 2003, "A simple algorithm for
 * identifying abbreviation definitions in biomedical text"). In addition, a long form must have at least two words.
 */
export function findAcronyms(text: string): readonly Acronym[] {
  const found: Acronym[] = [];
  for (const match of text.matchAll(BRACKETS)) {
    const before = stretchBefore(text, match.index);
    const inside = plain(match[1]!);
    const short = singular(inside);
    const shortBefore = singular(before.slice(before.lastIndexOf(' ') + 1));
    if (SHORT.test(short)) {
      const long = longForm(short, before);
      if (long !== undefined) found.push({ short, long });
    } else if (SHORT.test(shortBefore) && longForm(shortBefore, inside) === inside) {
      found.push({ short: shortBefore, long: inside });
    }
  }
  return found;
}

/** Returns the words before an offset, back to the nearest punctuation, bracket, table cell, list item or paragraph. */
function stretchBefore(text: string, end: number): string {
  const stretch = text.slice(Math.max(0, end - REACH), end);
  const from = Math.max(...BOUNDARIES.map((boundary) => stretch.lastIndexOf(boundary)));
  return plain(stretch.slice(from + 1));
}

const BOUNDARIES = ['. ', '! ', '? ', '; ', ': ', ', ', '(', ')', '|', '\n\n', '\n- ', '\n* '];

/** Removes marks such as `*`, `` ` `` and `[`, and joins all lines. */
function plain(text: string): string {
  return text
    .replaceAll(/[*_`"[\]]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function singular(short: string): string {
  return /[A-Z]s$/.test(short) ? short.slice(0, -1) : short;
}

/**
 * Returns the last words of a text that contain the letters of the short form in order, or undefined. The long form must not
 * contain the short form as a word.
 */
function longForm(short: string, text: string): string | undefined {
  const words = text.split(' ').slice(-Math.min(short.length + 5, short.length * 2));
  const candidate = words.join(' ');
  let at = candidate.length;
  for (let index = short.length - 1; index >= 0; index--) {
    const letter = short[index]!.toLowerCase();
    const isFirst = index === 0;
    do at--;
    while (
      at >= 0 &&
      (candidate[at]!.toLowerCase() !== letter || (isFirst && ALPHANUMERIC.test(candidate[at - 1] ?? ' ')))
    );
    if (at < 0) return undefined;
  }
  const long = candidate.slice(at);
  const isSaid = long.toLowerCase().split(' ').includes(short.toLowerCase());
  return LONG.test(long) && !isSaid ? long : undefined;
}
