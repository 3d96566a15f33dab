/** Counts words as they were written, so that a prefix finds what a stem no longer shows. */
import type { Steps } from '../steps.ts';
import { compareText } from '../text/compare-text.ts';
import { createDictionary, type Dictionary, detach } from './dictionary.ts';

export interface SurfaceCounter {
  /** Counts one word as written that is indexed as term number `term`. */
  count(written: string, term: number): void;
  /** Folded words in ascending order, then by term; `places[term]` renumbers the terms. */
  collect(places: Uint32Array): Steps<Surfaces>;
}

export interface Surfaces {
  readonly words: Dictionary;
  readonly terms: Uint32Array;
  readonly frequencies: Uint32Array;
}

/** Spellings that are folded in one step. */
const STEP = 4096;

/** Starts a count; each different spelling is folded once, at the end. */
export function createSurfaceCounter(fold: (written: string) => string): SurfaceCounter {
  const ids = new Map<string, number>();
  const terms: number[] = [];
  const frequencies: number[] = [];

  function open(key: string, term: number): number {
    const id = terms.length;
    ids.set(detach(key), id);
    terms.push(term);
    frequencies.push(0);
    return id;
  }

  return {
    count(written, term) {
      let id = ids.get(written) ?? open(written, term);
      if (terms[id] !== term) {
        // A spelling that stands for a second term, as a name kept whole and split does.
        const key = `${written}\0${term}`;
        id = ids.get(key) ?? open(key, term);
      }
      frequencies[id]!++;
    },
    *collect(places) {
      const rows: SurfaceRow[] = [];
      for (const [key, id] of ids) {
        const end = key.indexOf('\0');
        const word = fold(end < 0 ? key : key.slice(0, end));
        if (rows.push({ word, term: places[terms[id]!]!, frequency: frequencies[id]! }) % STEP === 0) yield;
      }
      return yield* packSurfaces(rows);
    },
  };
}

export interface SurfaceRow {
  readonly word: string;
  readonly term: number;
  /** Below 0 for words that are taken away. */
  readonly frequency: number;
}

/** Sorts rows and adds up those of equal word and term; empty words and rows with a count of 0 are dropped. */
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
    if (word === '' || frequency <= 0) continue;
    words.push(word);
    terms.push(term);
    frequencies.push(frequency);
  }
  yield;
  return {
    words: createDictionary(words),
    terms: Uint32Array.from(terms),
    frequencies: Uint32Array.from(frequencies),
  };
}
