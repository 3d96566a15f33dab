/** Finds which adjacent words of a query are near each other in a text, in the order of the query. */
import type { QueryWord } from '../model/query.ts';
import type { ArrayPool } from './arrays.ts';
import type { LiveSegment, LiveSegments } from './live-segments.ts';
import { advance, type Cursor, openCursor, step } from './phrase.ts';
import { fieldOf, frequencyOf, NO_POSITION, type Segment } from './segment.ts';

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
 * Finds pairs of adjacent words; a single word makes no pair.
 * @returns `found`: for each unit, bit `i` is set if the words of pair `i` are near each other in one field; empty without pairs.
 * `idf`: for each pair, the lower idf of its words. `release` returns the array to the pool: do not read `found` afterwards.
 */
export function findNearPairs(
  segments: LiveSegments,
  words: readonly WeighedWord[],
  pool: ArrayPool<Uint32Array>,
) {
  const pairs = words.slice(1, MAX_PAIRS + 1).map((second, index) => [words[index]!, second] as const);
  const found = pairs.length > 0 ? pool.take(segments.limit) : new Uint32Array(0);
  for (const [bit, [first, second]] of pairs.entries()) {
    const within = Math.max(WITHIN, second.position - first.position);
    for (const owner of segments.all) {
      for (const before of first.terms) {
        for (const after of second.terms) markNear(owner, before, after, within, 1 << bit, found);
      }
    }
  }
  const idf = pairs.map(([first, second]) => Math.min(first.idf, second.idf));
  return { found, idf, release: () => pool.give(found) };
}

function markNear(
  owner: LiveSegment,
  before: string,
  after: string,
  within: number,
  bit: number,
  found: Uint32Array,
): void {
  const { segment, dead, find } = owner;
  if (segment.positionStarts.length === 0) return;
  const [one, other] = [find(before), find(after)];
  if (one < 0 || other < 0) return;
  const first = openCursor(segment, one, 0);
  const second = openCursor(segment, other, 0);
  for (; first.entry < first.end && second.entry < second.end; step(segment, first)) {
    const local = segment.entryUnits[first.entry]!;
    const field = fieldOf(segment.entryOccurrences[first.entry]!);
    if (dead[local] === 1 || !advance(segment, second, local, field)) continue;
    if (areNear(segment, first, second, within)) found[segment.units[local]!]! |= bit;
  }
}

/**
 * Whether a position of the second word is 1 to `within` after a position of the first. Both lists of positions are
 * ascending.
 */
function areNear(segment: Segment, first: Cursor, second: Cursor, within: number): boolean {
  const { positions, entryOccurrences } = segment;
  const firstEnd = first.position + frequencyOf(entryOccurrences[first.entry]!);
  const secondEnd = second.position + frequencyOf(entryOccurrences[second.entry]!);
  let at = second.position;
  for (let index = first.position; index < firstEnd; index++) {
    const start = positions[index]!;
    if (start === NO_POSITION) return false;
    while (at < secondEnd && positions[at]! <= start) at++;
    if (at === secondEnd) return false;
    if (positions[at]! - start <= within && positions[at] !== NO_POSITION) return true;
  }
  return false;
}
