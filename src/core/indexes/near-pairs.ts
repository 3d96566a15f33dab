/** Finds which adjacent words of a query are near each other in a text, in the order of the query. */
import type { QueryWord } from '../model/query.ts';
import type { LiveSegment, LiveSegments } from './live-segments.ts';
import { advance, type Cursor, endOf, openCursor, skipTo, step } from './phrase.ts';
import { fieldOf, NO_POSITION } from './posting-codec.ts';

export interface WeighedWord {
  /** Terms in the index: the word as analysed for each language. */
  readonly terms: readonly string[];
  readonly position: number;
  readonly idf: number;
}

/**
 * Returns the words that have an idf: all except stop words, or all if the query has only stop words.
 * @param idf by term of the query, as in `Ranking.idf`
 */
export function weighWords(
  words: readonly QueryWord[],
  idf: ReadonlyMap<string, number> = new Map(),
): readonly WeighedWord[] {
  return words.flatMap(({ term, forms = [], position }) => {
    const own = idf.get(term);
    const terms = [term, ...forms].map((form) => form.toWellFormed());
    return own === undefined ? [] : [{ terms, position, idf: own }];
  });
}

/** Maximum distance in positions between the words of a pair; larger if the words are further apart in the query. */
const WITHIN = 3;

/** Pairs are bits of one number; any further pairs of a long query are ignored. */
const MAX_PAIRS = 31;

/**
 * Finds pairs of adjacent words in units; a single word makes no pair. Reads the positions only of units that are asked for: two
 * frequent words have many others.
 * @returns `bitsOf`: for each of different units, bit `i` is set if the words of pair `i` are near each other in one field.
 * `idf`: for each pair, the lower idf of its words.
 */
export function findNearPairs(segments: LiveSegments, words: readonly WeighedWord[]) {
  const pairs = words.slice(1, MAX_PAIRS + 1).map((second, index) => [words[index]!, second] as const);
  const idf = pairs.map(([first, second]) => Math.min(first.idf, second.idf));

  function bitsOf(units: readonly number[]): Uint32Array {
    const bits = new Uint32Array(units.length);
    if (pairs.length === 0) return bits;
    const places: Place[] = [];
    for (let index = 0; index < units.length; index++) {
      const found = segments.locate(units[index]!);
      if (found) places.push({ owner: found.owner, local: found.local, index });
    }
    places.sort((a, b) => a.local - b.local);
    for (const [owner, inside] of Map.groupBy(places, (place) => place.owner)) {
      for (const [bit, [first, second]] of pairs.entries()) {
        const within = Math.max(WITHIN, second.position - first.position);
        for (const before of first.terms) {
          for (const after of second.terms) markNear(owner, before, after, within, 1 << bit, inside, bits);
        }
      }
    }
    return bits;
  }
  return { bitsOf, idf };
}

/** A unit that is asked for: where it is, and its index in the list. */
interface Place {
  readonly owner: LiveSegment;
  readonly local: number;
  readonly index: number;
}

/** @param places in one segment, in the order of its units */
function markNear(
  { segment, find, postingsOf }: LiveSegment,
  before: string,
  after: string,
  within: number,
  bit: number,
  places: readonly Place[],
  bits: Uint32Array,
): void {
  if (!segment.hasPositions) return;
  const [one, other] = [find(before), find(after)];
  if (one < 0 || other < 0) return;
  const first = openCursor(postingsOf(one), 0);
  const second = openCursor(postingsOf(other), 0);
  const { units, occurrences } = first.postings;
  for (const { local, index } of places) {
    if (!skipTo(first, local)) continue;
    for (; units[first.entry] === local; step(first)) {
      const field = fieldOf(occurrences[first.entry]!);
      if (advance(second, local, field) && areNear(first, second, within)) bits[index]! |= bit;
    }
  }
}

/**
 * Whether a position of the second word is 1 to `within` after a position of the first. Both lists of positions are
 * ascending.
 */
function areNear(first: Cursor, second: Cursor, within: number): boolean {
  const { positions } = first.postings;
  const others = second.postings.positions;
  const firstEnd = endOf(first);
  const secondEnd = endOf(second);
  let at = second.position;
  for (let index = first.position; index < firstEnd; index++) {
    const start = positions[index]!;
    if (start === NO_POSITION) return false;
    while (at < secondEnd && others[at]! <= start) at++;
    if (at === secondEnd) return false;
    if (others[at]! - start <= within && others[at] !== NO_POSITION) return true;
  }
  return false;
}
