/** Returns the words of a text in order, one per position: for a compound its parts, not the whole. */
import type { Tokenizer } from './token.ts';

export interface PlacedTerm {
  readonly term: string;
  readonly position: number;
}

export function plainWords(text: string, tokenize: Tokenizer): readonly PlacedTerm[] {
  const words: PlacedTerm[] = [];
  tokenize(text, (term, position, _start, _end, role) => {
    if (role === 'word') words.push({ term, position });
  });
  return lastAtEachPosition(words);
}

/**
 * Keeps the last word at each position. `read-a-file` has the role `word`, because `a` is not indexed, and its part `read`
 * follows at the same position.
 */
export function lastAtEachPosition<Placed extends { readonly position: number }>(
  words: readonly Placed[],
): readonly Placed[] {
  return words.filter(({ position }, index) => position !== words[index + 1]?.position);
}
