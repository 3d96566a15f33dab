/** Splits camelCase names, and finds signs that belong to a name: `C++`, `C#`. */
import { classAt, SEPARATOR, WORD } from './scripts.ts';

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
