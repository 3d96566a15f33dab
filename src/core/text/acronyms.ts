/** Finds short forms where a text says what they stand for: `Architecture Decision Record (ADR)`, `ADR (architecture decision record)`. */

export interface Acronym {
  /** As written, without a plural's `s`. */
  readonly short: string;
  /** At least two words, as written. */
  readonly long: string;
}

/** Letters and digits of which two are capitals. */
const SHORT = /^(?=[^A-Z]*[A-Z][^A-Z]*[A-Z])[A-Za-z][A-Za-z0-9]{1,9}$/;
/** Words with spaces between them. */
const LONG = /^[\p{L}\p{N}'’+.-]+(?: [\p{L}\p{N}'’+.-]+)+$/u;
/** How far before a bracket a long form may begin, in UTF-16 units. */
const REACH = 200;
/** Longest text between brackets that is looked at, in UTF-16 units. */
const MAX_LENGTH = 120;
/** A line may end in it, a paragraph not. */
const BRACKETS = new RegExp(`\\(((?:[^()\\n]|\\n(?![ \\t]*\\n)){2,${MAX_LENGTH}})\\)`, 'g');
const ALPHANUMERIC = /[\p{L}\p{N}]/u;

/**
 * Finds definitions, in order. The letters of the short form are looked for in the words before or between the brackets, from the last
 * to the first; the first must begin a word (Schwartz and Hearst 2003, "A simple algorithm for identifying abbreviation
 * definitions in biomedical text"). Here a long form has at least two words.
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

/** The words before an offset, back to the end of a sentence, a bracket or a cell. */
function stretchBefore(text: string, end: number): string {
  const stretch = text.slice(Math.max(0, end - REACH), end);
  const from = Math.max(...BOUNDARIES.map((boundary) => stretch.lastIndexOf(boundary)));
  return plain(stretch.slice(from + 1));
}

const BOUNDARIES = ['. ', '! ', '? ', '; ', ': ', ', ', '(', ')', '|', '\n\n', '\n- ', '\n* '];

/** Without marks of emphasis and code, on one line. */
function plain(text: string): string {
  return text
    .replaceAll(/[*_`"[\]]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function singular(short: string): string {
  return /[A-Z]s$/.test(short) ? short.slice(0, -1) : short;
}

/** The last words of a text that hold the letters of the short form in order; undefined if they do not. */
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
