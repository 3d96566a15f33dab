/** Finds where words and their parts begin and end, and makes terms of them. */

import { clip } from './boundaries.ts';
import { fold } from './fold.ts';
import { classAt, MARK, SEPARATOR, WORD, widthAt } from './scripts.ts';
import type { TokenizerRules } from './token.ts';

/**
 * Max UTF-16 units of a term. Longer words are cut, and longer compounds are visited only in parts, because hashes and minified
 * code would fill the index.
 */
export const MAX_TERM_LENGTH = 64;
/** Single characters that are indexed: digits, and letters that are names of programming languages. */
const SINGLES: ReadonlySet<string> = new Set('0123456789cdjqrv');

/** Returns the end of a word: letters, digits, marks, and apostrophes between them, but not a possessive `'s`. */
export function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const kind = classAt(text, end);
    if (kind === WORD || kind === MARK) end += widthAt(text, end);
    else if (isApostrophe(text, end) && isWord(text, end + 1) && skipPossessive(text, end) === end) end += 1;
    else break;
  }
  return end;
}

/** Skips a possessive `'s` at `index`. Returns the index after it, or `index` if there is none. */
export function skipPossessive(text: string, index: number): number {
  if (!isApostrophe(text, index)) return index;
  const letter = text.charCodeAt(index + 1) | 32;
  if (letter !== 115) return index;
  const after = classAt(text, index + 2);
  return after === WORD || after === MARK ? index : index + 2;
}

function isApostrophe(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit === 0x27 || unit === 0x2019;
}

/** Makes the term of a word: folded, converted by the rules, cut to the max length. */
export function termOf(text: string, start: number, end: number, rules: TokenizerRules): string {
  // To save time, cut a very long word before folding. In ASCII, the term is the same as without this cut.
  const written = text.slice(start, Math.min(end, start + 4 * MAX_TERM_LENGTH));
  return clipTerm(rules.toTerm(withoutApostrophes(fold(written)), written));
}

/** Removes apostrophes: `don't` becomes `dont`. */
export function withoutApostrophes(word: string): string {
  return word.replaceAll(/['’]/g, '');
}

/** Whether a term is indexed: it has at least two characters, or is one of the single characters above. */
export function isIndexed(term: string): boolean {
  return term.length > 1 || SINGLES.has(term);
}

/** Cuts a term to the max length. */
export function clipTerm(term: string): string {
  return clip(term, MAX_TERM_LENGTH);
}

/**
 * Returns the starts of the humps of a camelCase word, except the first: for `HTTPResponse`, the start of `Response`. The plural
 * of an acronym (`APIs`) and a version (`IPv6`) do not begin a hump.
 * @param splitDigits whether digits form a hump: for `var1`, the start of `1`
 */
export function humps(text: string, start: number, end: number, splitDigits: boolean): number[] {
  const starts: number[] = [];
  for (let index = start + 1; index < end; index++) {
    if (beginsHump(text, index, end) || (splitDigits && isDigit(text, index) !== isDigit(text, index - 1))) {
      starts.push(index);
    }
  }
  return starts;
}

function beginsHump(text: string, index: number, end: number): boolean {
  if (!isUpper(text, index)) return false;
  if (!isUpper(text, index - 1)) return classAt(text, index - 1) !== SEPARATOR; // no hump after an apostrophe
  const next = index + 1;
  if (next >= end || !isLower(text, next)) return false;
  const afterNext = next + 1;
  const isPlural = text[next] === 's' && (afterNext >= end || !isLower(text, afterNext));
  const isVersion = text[next] === 'v' && afterNext < end && isDigit(text, afterNext);
  return !(isPlural || isVersion);
}

/** Words that `++` and `#` belong to; after other words, these signs are operators. */
const PLUS_PLUS_NAMES: ReadonlySet<string> = new Set('c g clang libc libstdc stdc notepad'.split(' '));
const SHARP_NAMES: ReadonlySet<string> = new Set(['c', 'f', 'j', 'q', 'vc']);
const MAX_NAME_LENGTH = 7;

/** Returns the width of the `++` or `#` at `end` if it belongs to the word before it (`C++`, `C#`), else 0. */
export function nameSuffixWidth(text: string, start: number, end: number): number {
  const suffix = text.charCodeAt(end);
  if ((suffix !== 43 && suffix !== 35) || end - start > MAX_NAME_LENGTH) return 0;
  const name = text.slice(start, end).toLowerCase();
  if (suffix === 35) return SHARP_NAMES.has(name) && !isWord(text, end + 1) ? 1 : 0;
  if (text[end + 1] !== '+' || text[end + 2] === '+' || !PLUS_PLUS_NAMES.has(name)) return 0;
  return !isWord(text, end + 2) || isDigit(text, end + 2) ? 2 : 0;
}

/** Whether the character at `index` is a letter or digit of a script that puts spaces between words. */
export function isWord(text: string, index: number): boolean {
  return classAt(text, index) === WORD;
}

function isDigit(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 48 && unit <= 57;
}

/** Whether the letter at `index` is upper case. */
export function isUpper(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 128) return unit >= 65 && unit <= 90;
  return text[index] !== text[index]!.toLowerCase();
}

function isLower(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 128) return unit >= 97 && unit <= 122;
  return text[index] !== text[index]!.toUpperCase();
}
