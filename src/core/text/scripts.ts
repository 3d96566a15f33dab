/** Tells apart, character by character, what makes a word, what is written without spaces, and what separates. */

/** Between words: spaces, punctuation, symbols, emoji. */
export const SEPARATOR = 0;
/** A letter or digit of a script that puts spaces between words. */
export const WORD = 1;
/** Continues the word or character before it: accents, vowel signs, invisible joiners. */
export const MARK = 2;
/** A letter of a script taken as a run of characters: Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese. */
export const UNSPACED = 3;

export type CharacterClass = typeof SEPARATOR | typeof WORD | typeof MARK | typeof UNSPACED;

/** Class of the character that begins at `index`; a lone surrogate separates, and so does either end of the text. */
export function classAt(text: string, index: number): CharacterClass {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdfff) return BASIC_PLANE[unit] as CharacterClass;
  if (widthAt(text, index) === 1) return SEPARATOR;
  return classesOf(text.slice(index, index + 2))[0] as CharacterClass;
}

/**
 * Number of UTF-16 units of the character that begins at `index`: 1 or 2.
 * The last unit is not asked for its code point: if the text is a slice of another, optimised code of V8 (13.6, in Node 24) may
 * read on in that other text.
 */
export function widthAt(text: string, index: number): number {
  return index + 1 < text.length && text.codePointAt(index)! > 0xffff ? 2 : 1;
}

/** Whether a term begins with a character of an unspaced script. */
export function isUnspaced(term: string): boolean {
  return term.length > 0 && classAt(term, 0) === UNSPACED;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]+/gu;
const UNSPACED_LETTER =
  /(?:(?=[\p{L}\p{N}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ーｰ])+/gu;
/** Half-width voicing marks are letters to Unicode; a Hangul vowel or final consonant continues its syllable. */
const CONTINUATION = /[\p{M}\u00ad\u061c\u200c-\u200f\u2060\ufeff\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7fb]+/gu;

/** Class of every unit of `text`; runs are found by whole-text matching, which is far quicker than asking each character. */
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

/** Class of every character of the basic plane; filled once, read-only afterwards. Surrogates are separators here. */
const BASIC_PLANE: Readonly<Uint8Array> = classesOf(
  Array.from({ length: 256 }, (_, row) =>
    String.fromCharCode(...Array.from({ length: 256 }, (_, cell) => row * 256 + cell)),
  ).join(''),
);
