/**
 * The words of a segment as written. They are numbered while the segment is built, and packed at the end. Prefixes are compared
 * with these words, because stems have lost their endings.
 */
import type { Steps } from '../steps.ts';
import { compareText } from '../text/compare-text.ts';
import { createDictionary, detach } from './dictionary.ts';
import type { Segment } from './segment.ts';

export type Surfaces = Pick<Segment, 'surfaces' | 'surfaceTerms' | 'surfaceFrequencies'>;

/** Number of words that are folded in one step. */
const STEP = 4096;

/** Gives each pair of a spelling and its term a number, counted from 0. */
export function createSpellings() {
  const numbers = new Map<string, number>();
  /** The term of each numbered pair. */
  const terms: string[] = [];

  function open(key: string, term: string): number {
    numbers.set(detach(key), terms.length);
    return terms.push(detach(term)) - 1;
  }

  return {
    terms,
    numberOf(written: string, term: string): number {
      const number = numbers.get(written) ?? open(written, term);
      if (terms[number] === term) return number;
      // One spelling may have two terms: a name is indexed whole and in parts.
      const key = `${written}\0${term}`;
      return numbers.get(key) ?? open(key, term);
    },
    /**
     * Folds the spelling of each numbered pair, then sorts and packs the pairs.
     * @param frequencies frequency of each pair
     * @param places for each pair: index of its term in the dictionary
     */
    *surfaces(
      fold: (written: string) => string,
      frequencies: Uint32Array,
      places: Uint32Array,
    ): Steps<Surfaces> {
      const rows: SurfaceRow[] = [];
      for (const [key, number] of numbers) {
        const end = key.indexOf('\0');
        const word = fold(end < 0 ? key : key.slice(0, end));
        const row = { word, term: places[number]!, frequency: frequencies[number]! };
        if (rows.push(row) % STEP === 0) yield;
      }
      return yield* packSurfaces(rows);
    },
  };
}

export interface SurfaceRow {
  readonly word: string;
  readonly term: number;
  readonly frequency: number;
}

/** Sorts rows, and sums the frequencies of rows with equal word and term. Drops empty words. */
export function* packSurfaces(rows: SurfaceRow[]): Steps<Surfaces> {
  rows.sort((a, b) => compareText(a.word, b.word) || a.term - b.term);
  yield;
  const words: string[] = [];
  const terms: number[] = [];
  const frequencies: number[] = [];
  for (let at = 0; at < rows.length; ) {
    const { word, term } = rows[at]!;
    let frequency = 0;
    for (; rows[at]?.word === word && rows[at]!.term === term; at++) frequency += rows[at]!.frequency;
    if (word === '') continue;
    words.push(word);
    terms.push(term);
    frequencies.push(frequency);
  }
  yield;
  return {
    surfaces: createDictionary(words),
    surfaceTerms: Uint32Array.from(terms),
    surfaceFrequencies: Uint32Array.from(frequencies),
  };
}
