/** Turns prose into index terms: folded, English-stemmed words, compounds whole and in parts, pairs of CJK characters. */
import { isWord } from './names.ts';
import { classAt, UNSPACED } from './scripts.ts';
import { stem } from './stem.ts';
import type { Tokenizer, TokenizerRules } from './token.ts';
import { createTokenizer } from './tokenizer.ts';
import { isIndexed } from './words.ts';

const ENGLISH_LETTERS = /^[a-z]+$/;

/** What joins words, whatever their language, and the terms of English ones. */
export const ENGLISH_RULES: TokenizerRules = {
  joinerWidth,
  isTight: (text, index) => text[index] === '_' || text[index] === '-',
  wholeStart,
  wholeEnd: (_, end) => end,
  splitDigits: false,
  toTerm: (folded) => (ENGLISH_LETTERS.test(folded) ? stemOf(folded) : folded),
};

/**
 * Visits every index term of a text; returns the number of positions (the field's length for BM25).
 *
 * Terms come in order of position. `well-known`, `Node.js`, `std::vector`, `snake_case` and `camelCase` are visited
 * whole, at the position of their first part, and in parts at consecutive positions. A term of a–z alone is stemmed,
 * so `YouTube` and `youtube` are one term; every other term stands as folded. `user's` is `user`, `don't` is `dont`.
 * Single letters are left out (but `c`, `r` and the like, and CJK) and still take a position. Stop words are kept.
 */
export const analyze: Tokenizer = createTokenizer(ENGLISH_RULES);

/** A single letter would not be indexed: `aed` ends like a verb. */
function stemOf(word: string): string {
  const stemmed = stem(word);
  return isIndexed(stemmed) ? stemmed : word;
}

/** `-`, `.`, `::` and any number of `_` join; `--` and `...` do not. */
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

/** The dot of `.NET` and `.gitignore`, when nothing but space or an opening mark stands before it. */
function wholeStart(text: string, start: number): number {
  if (text.charCodeAt(start - 1) !== 46 || DIGIT.test(text[start]!)) return start;
  const isOpen = start < 2 || OPENING.test(text[start - 2]!) || classAt(text, start - 2) === UNSPACED;
  return isOpen ? start - 1 : start;
}

const DIGIT = /\p{N}/u;
const OPENING = /[\s\p{Ps}\p{Pi}"'`*_~/|,;:=<>]/u;
