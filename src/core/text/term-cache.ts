/** Remembers the terms of recent words: most words of a text come again soon, and looking one up costs less than stemming it. */

/** Looks up the word of `text` from `start` to `end`, or makes its term. */
export type TermLookup = (text: string, start: number, end: number) => string;

/** Words kept, a power of two: about 1 MB. */
const SIZE = 1 << 13;

/** V8 copies shorter slices; a longer one would keep its whole text in memory. */
const MAX_LENGTH = 12;

/**
 * A direct-mapped cache: each word has one place, and the latest word there stays. A hit allocates nothing.
 * @param make must depend on the characters of the word alone
 */
export function createTermCache(make: TermLookup): TermLookup {
  const words: string[] = new Array(SIZE).fill('');
  const terms: string[] = new Array(SIZE).fill('');
  return (text, start, end) => {
    if (end - start > MAX_LENGTH) return make(text, start, end);
    let hash = end - start;
    for (let index = start; index < end; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
    const place = (hash ^ (hash >>> 13)) & (SIZE - 1);
    if (isAt(words[place]!, text, start, end)) return terms[place]!;
    const term = make(text, start, end);
    words[place] = text.slice(start, end);
    terms[place] = term;
    return term;
  };
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let index = start; index < end; index++) {
    if (word.charCodeAt(index - start) !== text.charCodeAt(index)) return false;
  }
  return true;
}
