/** A sorted list of words, stored as one string. Words are found by bisection. Saving and loading do not copy words one by one. */
import { firstIndex } from '../text/lines.ts';
import { runningSum } from './arrays.ts';

export interface Dictionary {
  /** All words one after the other, in ascending order of UTF-16 units; a word may occur more than once. */
  readonly text: string;
  /** Word `i` is `text.slice(starts[i], starts[i + 1])`. Length: number of words + 1. */
  readonly starts: Uint32Array;
}

/** Packs words, which must be in ascending order. */
export function createDictionary(sorted: readonly string[]): Dictionary {
  return { text: sorted.join(''), starts: runningSum(sorted.map(({ length }) => length)) };
}

export function wordCount(dictionary: Dictionary): number {
  return dictionary.starts.length - 1;
}

/** Returns the word at an index below `wordCount`. */
export function wordAt({ text, starts }: Dictionary, index: number): string {
  return text.slice(starts[index], starts[index + 1]);
}

/** Returns the index of the first entry equal to `word`, or −1. */
export function findWord(dictionary: Dictionary, word: string): number {
  const index = bisect(dictionary, word);
  return index < wordCount(dictionary) && compareAt(dictionary, index, word) === 0 ? index : -1;
}

/** Returns the range of the words that begin with `prefix`: the first index, and the index after the last. */
export function prefixRange(dictionary: Dictionary, prefix: string): readonly [number, number] {
  return [bisect(dictionary, prefix), bisect(dictionary, prefix, true)];
}

/** Compares word `i` of `a` with word `j` of `b`. Returns a number below 0 if the word of `a` sorts first. */
export function compareWords(a: Dictionary, i: number, b: Dictionary, j: number): number {
  const [from, other] = [a.starts[i]!, b.starts[j]!];
  const [length, otherLength] = [a.starts[i + 1]! - from, b.starts[j + 1]! - other];
  for (let at = 0; at < length && at < otherLength; at++) {
    const difference = a.text.charCodeAt(from + at) - b.text.charCodeAt(other + at);
    if (difference !== 0) return difference;
  }
  return length - otherLength;
}

/** Copies a word that is a slice of a text: in V8, a slice keeps the whole text in memory. */
export function detach(word: string): string {
  return ` ${word}`.slice(1);
}

/**
 * Returns the index of the first entry that does not sort before `word`.
 * @param isPast whether entries that begin with `word` count as sorting before it. @default false
 */
function bisect(dictionary: Dictionary, word: string, isPast = false): number {
  return firstIndex(wordCount(dictionary), (index) => compareAt(dictionary, index, word, isPast) >= 0);
}

/**
 * Compares entry `index` with `word`. Returns a number below 0 if the entry sorts before `word`. Does not copy the entry, because
 * a search looks up some hundred words.
 * @param isPast whether an entry that begins with `word` counts as sorting before it. @default false
 */
function compareAt({ text, starts }: Dictionary, index: number, word: string, isPast = false): number {
  const start = starts[index]!;
  const length = starts[index + 1]! - start;
  const shared = Math.min(length, word.length);
  for (let at = 0; at < shared; at++) {
    const difference = text.charCodeAt(start + at) - word.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return isPast ? -1 : length - word.length;
}
