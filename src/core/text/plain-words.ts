/** Returns the words of a text in order, one per position. A compound is returned in parts, not as a whole. */
import type { PhraseTerms } from '../model/query.ts';
import type { Tokenizer } from './token.ts';

export function plainWords(text: string, tokenize: Tokenizer): PhraseTerms {
  const words: PhraseTerms[number][] = [];
  tokenize(text, (term, position, _start, _end, role) => {
    if (role === 'word') words.push({ term, position });
  });
  return lastAtEachPosition(words);
}

const NUMBER = /^[# ]*\d[ .):_-]+(?=\p{L}{2})/u;

/** Removes the digit that numbers a heading or a name: `## 2. The model` becomes `The model`. */
export function withoutNumber(name: string): string {
  return name.replace(NUMBER, '');
}

/**
 * Keeps the last word at each position. This drops a compound with the role `word`, because its first part follows at the same
 * position. A compound has this role only if one of its parts is not indexed, such as `a` in `read-a-file`.
 */
export function lastAtEachPosition<Placed extends { readonly position: number }>(
  words: readonly Placed[],
): readonly Placed[] {
  return words.filter(({ position }, index) => position !== words[index + 1]?.position);
}
