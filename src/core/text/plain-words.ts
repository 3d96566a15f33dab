/** The words of a text in their order, each once: of a compound only the parts. */
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

/** `read-a-file` is a word and not a compound, for `a` is not indexed; `read` stands behind it at its place. */
export function lastAtEachPosition<Placed extends { readonly position: number }>(
  words: readonly Placed[],
): readonly Placed[] {
  return words.filter(({ position }, index) => position !== words[index + 1]?.position);
}
