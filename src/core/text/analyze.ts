/**
 * Turns prose into index terms: folded, English-stemmed words; compounds and their parts; pairs of characters in unspaced scripts.
 */

import { classAt, UNSPACED } from './scripts.ts';
import { stem } from './stem.ts';
import type { Tokenizer, TokenizerRules } from './token.ts';
import { createTokenizer } from './tokenizer.ts';
import { isIndexed, isWord } from './words.ts';

const ENGLISH_LETTERS = /^[a-z]+$/;

/** Rules for compounds in all languages, and for the terms of English words. */
export const ENGLISH_RULES: TokenizerRules = {
  joinerWidth,
  isTight: (text, index) => text[index] === '_' || text[index] === '-',
  wholeStart,
  wholeEnd: (_, end) => end,
  splitDigits: false,
  // The letter before a version is skipped: `v1.2` and `1.2` are one term.
  elisionWidth: (text, start) =>
    'vV'.includes(text[start]!) && /^.\d+\.\d/.test(text.slice(start, start + 9)) ? 1 : 0,
  toTerm: (folded) => (ENGLISH_LETTERS.test(folded) ? stemOf(folded) : folded),
};

/**
 * Visits every index term of a text in order of position. Returns the number of positions (the field's length for BM25).
 *
 * A compound such as `well-known`, `Node.js`, `std::vector`, `snake_case` or `camelCase` is visited as a whole, at the position
 * of its first part, and in parts at consecutive positions. A whole or a part of a–z only is stemmed: `YouTube` and `youtube` are
 * one term. Others are only folded. `v1.2` becomes `1.2`, `user's` becomes `user`, `don't` becomes `dont`. Single letters take a
 * position but are not visited, except names of programming languages (`c`, `r`) and unspaced characters. Stop words are visited.
 */
export const analyze: Tokenizer = createTokenizer(ENGLISH_RULES);

/** Returns the stem, or the word if the stem would not be indexed: `aed` would become the single letter `a`. */
function stemOf(word: string): string {
  const stemmed = stem(word);
  return isIndexed(stemmed) ? stemmed : word;
}

/** Returns the width of a joiner: `-`, `.`, `::` or a run of `_`, but not `--` or `...`; else 0. */
function joinerWidth(text: string, index: number): number {
  let end = index;
  switch (text.charCodeAt(index)) {
    case 45: // -
    case 46: // .
      end += 1;
      break;
    case 58: // :
      if (text.charCodeAt(index + 1) !== 58) return 0;
      end += 2;
      break;
    case 95: // _
      while (text.charCodeAt(end) === 95) end += 1;
      break;
    default:
      return 0;
  }
  return isWord(text, end) ? end - index : 0;
}

/** Returns the offset of a dot before the word, as in `.NET`, if a space, an opening mark or a separator precedes the dot. */
function wholeStart(text: string, start: number): number {
  if (text.charCodeAt(start - 1) !== 46 || DIGIT.test(text[start]!)) return start;
  const isOpen = start < 2 || OPENING.test(text[start - 2]!) || classAt(text, start - 2) === UNSPACED;
  return isOpen ? start - 1 : start;
}

const DIGIT = /\p{N}/u;
const OPENING = /[\s\p{Ps}\p{Pi}"'`*_~/|,;:=<>]/u;
