/** Where a word ends and which term it becomes. */
import { clip } from './boundaries.ts';
import { fold } from './fold.ts';
import { isWord } from './names.ts';
import { classAt, MARK, SEPARATOR, WORD, widthAt } from './scripts.ts';
import type { TokenizerRules } from './token.ts';

/** Longer terms are cut; a longer compound has only parts. Keeps hashes and minified code from filling the index. */
export const MAX_TERM_LENGTH = 64;
/** Single letters that are indexed: names of programming languages. */
const SINGLE_LETTERS: ReadonlySet<string> = new Set(['c', 'd', 'j', 'q', 'r', 'v']);

/** Letters, digits and marks, and apostrophes between them, but not a possessive `'s`. */
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

/** The index after `'s` when one stands at `index` and ends the word there, else `index`. */
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

/** The term of the word at `start`: folded, turned by the rules, cut at the longest length. */
export function termOf(text: string, start: number, end: number, rules: TokenizerRules): string {
  // Folding can only lengthen what is left of a cut word, so the cut is the same for every spelling in ASCII.
  const written = text.slice(start, Math.min(end, start + 4 * MAX_TERM_LENGTH));
  return clipTerm(rules.toTerm(withoutApostrophes(fold(written)), written));
}

/** `don't` as `dont`. */
export function withoutApostrophes(word: string): string {
  return APOSTROPHE.test(word) ? word.replace(APOSTROPHES, '') : word;
}

const APOSTROPHE = /['’]/;
const APOSTROPHES = /['’]/g;

/** Whether a term is long enough to be visited. */
export function isIndexed(term: string): boolean {
  return term.length > 1 || SINGLE_LETTERS.has(term);
}

/** Cuts a term at the longest length. */
export function clipTerm(term: string): string {
  return clip(term, MAX_TERM_LENGTH);
}
