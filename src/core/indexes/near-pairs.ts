/** Finds which neighbours among the words of a query stand near each other in a text, in their order. */
import type { QueryWord } from '../model/query.ts';
import { inverseUnitFrequency } from './bm25f.ts';
import { findWord } from './dictionary.ts';
import { countLive, type LiveSegment, type LiveSegments } from './live-segments.ts';
import { advance, type Cursor, openCursor, step } from './phrase.ts';
import { NO_POSITION, type Segment } from './segment.ts';

/** The second word of a pair is at most so many positions behind the first, or as many as in the query. */
const WITHIN = 3;

/** Bits of one number are all there are for pairs; a longer question has said enough by then. */
const MOST_PAIRS = 31;

export interface NearPairs {
  /** By unit: bit `i` is set where pair `i` stands in one of its fields; as long as the largest live unit requires. */
  readonly found: Uint32Array;
  /** By pair: the lower idf of its two words. */
  readonly idf: readonly number[];
}

/** Pairs of words that follow each other in the query, stop words left out; one word makes none. */
export function findNearPairs(segments: LiveSegments, words: readonly QueryWord[]): NearPairs {
  const content = words.filter(({ isStopWord }) => !isStopWord);
  const pairs = content.slice(1, MOST_PAIRS + 1).map((second, index) => [content[index]!, second] as const);
  const found = new Uint32Array(segments.limit);
  for (const [bit, [first, second]] of pairs.entries()) {
    const within = Math.max(WITHIN, second.position - first.position);
    for (const owner of segments.all) {
      for (const before of formsOf(first)) {
        for (const after of formsOf(second)) markNear(owner, before, after, within, 1 << bit, found);
      }
    }
  }
  const idfOf = (word: QueryWord) => {
    const units = Math.max(...formsOf(word).map((term) => countLive(segments, term)));
    return inverseUnitFrequency(segments.count, units);
  };
  return { found, idf: pairs.map(([first, second]) => Math.min(idfOf(first), idfOf(second))) };
}

function formsOf({ term, forms = [] }: QueryWord): readonly string[] {
  return [term, ...forms].map((form) => form.toWellFormed());
}

function markNear(
  owner: LiveSegment,
  before: string,
  after: string,
  within: number,
  bit: number,
  found: Uint32Array,
): void {
  const { segment, dead } = owner;
  if (segment.positionStarts.length === 0) return;
  const [one, other] = [findWord(segment.terms, before), findWord(segment.terms, after)];
  if (one < 0 || other < 0) return;
  const first = openCursor(segment, one, 0);
  const second = openCursor(segment, other, 0);
  for (; first.entry < first.end && second.entry < second.end; step(segment, first)) {
    const local = segment.entryUnits[first.entry]!;
    if (dead[local] === 1 || !advance(segment, second, local, segment.entryFields[first.entry]!)) continue;
    if (areNear(segment, first, second, within)) found[segment.units[local]!]! |= bit;
  }
}

/** Whether some position of the second is 1 to `within` behind one of the first; both are ascending. */
function areNear(segment: Segment, first: Cursor, second: Cursor, within: number): boolean {
  const { positions, entryFrequencies } = segment;
  const firstEnd = first.position + entryFrequencies[first.entry]!;
  const secondEnd = second.position + entryFrequencies[second.entry]!;
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
