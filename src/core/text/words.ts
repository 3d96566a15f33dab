/** Finds the end of a word and makes its term. */
import { clip } from './boundaries.ts';
import { fold } from './fold.ts';
import { isWord } from './names.ts';
import { classAt, MARK, SEPARATOR, WORD, widthAt } from './scripts.ts';
import type { TokenizerRules } from './token.ts';

/**
 * Max UTF-16 units of a term. Longer words are cut, and longer compounds are visited only in parts, because hashes and minified
 * code would fill the index.
 */
export const MAX_TERM_LENGTH = 64;
/** Single letters that are indexed: names of programming languages. */
const SINGLE_LETTERS: ReadonlySet<string> = new Set(['c', 'd', 'j', 'q', 'r', 'v']);

/** Returns the end of a word: letters, digits, marks, and apostrophes between them, but not a possessive `'s`. */
export function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const kind = classAt(text, end);
    if (kind === WORD || kind === MARK) end += widthAt(text, end);
    else if (
      kind === SEPARATOR &&
      isApostrophe(text, end) &&
      isWord(text, end + 1) &&
      skipPossessive(text, end) === end
    ) {
      end += 1;
    } else break;
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
  return APOSTROPHE.test(word) ? word.replace(APOSTROPHES, '') : word;
}

const APOSTROPHE = /['’]/;
const APOSTROPHES = /['’]/g;

/** Whether a term is indexed: it has at least two characters, or is one of the single letters above. */
export function isIndexed(term: string): boolean {
  return term.length > 1 || SINGLE_LETTERS.has(term);
}

/** Cuts a term to the max length. */
export function clipTerm(term: string): string {
  return clip(term, MAX_TERM_LENGTH);
}
