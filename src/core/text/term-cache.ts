/** Caches the terms of recent words: most words of a text soon occur again, and a look-up is faster than stemming. */

/** Returns the term of the word from `start` to `end` in `text`. */
export type TermLookup = (text: string, start: number, end: number) => string;

/** Number of words kept, a power of two; they take about 1 MB. */
const SIZE = 1 << 13;

/** Max length of a cached word. V8 copies slices up to this length; a longer slice would keep its whole text in memory. */
const MAX_LENGTH = 12;

/**
 * Makes a direct-mapped cache: each word has one place, and a new word replaces the word there. A hit allocates nothing.
 * @param make its result must depend only on the characters of the word
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
