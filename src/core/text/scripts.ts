/** Classifies characters: part of a word, mark, letter of an unspaced script, or separator. */

/** Between words: spaces, punctuation, symbols, emoji. */
export const SEPARATOR = 0;
/** A letter or digit of a script that puts spaces between words. */
export const WORD = 1;
/** Continues the word or character before it: an accent, a vowel sign, an invisible joiner. */
export const MARK = 2;
/** A letter of an unspaced script, which is indexed by characters: Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese. */
export const UNSPACED = 3;

export type CharacterClass = typeof SEPARATOR | typeof WORD | typeof MARK | typeof UNSPACED;

/** Returns the class of the character at `index`. A lone surrogate and an index outside the text are separators. */
export function classAt(text: string, index: number): CharacterClass {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdfff) {
    if (BASIC_PLANE[unit] === UNKNOWN) classifyRow(unit & ~(ROW - 1));
    return BASIC_PLANE[unit] as CharacterClass;
  }
  if (widthAt(text, index) === 1) return SEPARATOR;
  return classesOf(text.slice(index, index + 2))[0] as CharacterClass;
}

/**
 * Returns the number of UTF-16 units of the character at `index`: 1 or 2.
 * The last unit is not read with `codePointAt`: if the text is a slice of another text, optimised code of V8 13.6 (Node 24) may
 * read past the end of the slice.
 */
export function widthAt(text: string, index: number): number {
  return index + 1 < text.length && text.codePointAt(index)! > 0xffff ? 2 : 1;
}

export function isUnspaced(term: string): boolean {
  return term.length > 0 && classAt(term, 0) === UNSPACED;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]+/gu;
/** Includes Chinese radicals, which Unicode calls symbols: text that is copied from a PDF has them in place of characters. */
const UNSPACED_LETTER =
  /(?:(?=[\p{L}\p{Nl}\p{No}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ーｰ]|[\u2e80-\u2fd5])+/gu;
/**
 * Marks. Includes half-width voicing marks, which Unicode calls letters, and Hangul vowels and final consonants, which continue a
 * syllable.
 */
const CONTINUATION = /[\p{M}\u00ad\u061c\u200c-\u200f\u2060\ufeff\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7fb]+/gu;

/** Returns the class of every unit of `text`. Matching the whole text is much faster than testing each character. */
function classesOf(text: string): Uint8Array {
  const classes = new Uint8Array(text.length).fill(SEPARATOR);
  const fill = (kind: CharacterClass, pattern: RegExp) => {
    for (const match of text.matchAll(pattern))
      classes.fill(kind, match.index, match.index + match[0].length);
  };
  fill(WORD, LETTER_OR_DIGIT);
  fill(UNSPACED, UNSPACED_LETTER);
  fill(MARK, CONTINUATION);
  return classes;
}

const ROW = 256;
const UNKNOWN = 255;

/** Classes of the basic plane. A row is filled when a text first has one of its characters: filling all rows takes 10 ms. */
const BASIC_PLANE = new Uint8Array(0x10000).fill(UNKNOWN);

function classifyRow(start: number): void {
  const row = Array.from({ length: ROW }, (_, cell) => String.fromCharCode(start + cell));
  BASIC_PLANE.set(classesOf(row.join('')), start);
}
