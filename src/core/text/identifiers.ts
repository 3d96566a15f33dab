/** Turns code into index terms: identifiers whole and in parts, lower-cased, never stemmed. */

import type { Tokenizer } from './token.ts';
import { createTokenizer } from './tokenizer.ts';
import { isWord } from './words.ts';

/**
 * Visits every code term of a text; returns the number of positions. `getUserById` → `getuserbyid get user by id`; `std::vector`
 * → `std::vector std vector`; `myVar123` → `myvar123 my var 123`; `C++` → `c++`. Positions are assigned as in `analyze`.
 */
export const analyzeCode: Tokenizer = createTokenizer({
  joinerWidth,
  isTight: (text, index) => text.charCodeAt(index) === UNDERSCORE,
  wholeStart: (text, start) => {
    let index = start;
    while (text.charCodeAt(index - 1) === UNDERSCORE) index -= 1;
    return index;
  },
  wholeEnd: endOfUnderscores,
  splitDigits: true,
  elisionWidth: () => 0,
  toTerm: (folded) => folded,
});

const UNDERSCORE = 95;

/** Returns the width of a joiner: a run of `_`, `::` or `->`; else 0. */
function joinerWidth(text: string, index: number): number {
  let end = endOfUnderscores(text, index);
  if (end === index) {
    const pair = text.slice(index, index + 2);
    if (pair === '::' || pair === '->') end += 2;
  }
  return end > index && isWord(text, end) ? end - index : 0;
}

function endOfUnderscores(text: string, index: number): number {
  let end = index;
  while (text.charCodeAt(end) === UNDERSCORE) end += 1;
  return end;
}
