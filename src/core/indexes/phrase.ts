/** Finds the units in which terms stand at given distances from each other within one field. */
import type { Phrase, PhraseTerms } from '../model/query.ts';
import { findWord } from './dictionary.ts';
import type { LiveSegment, LiveSegments } from './live-segments.ts';
import { NO_POSITION, type Segment } from './segment.ts';

/** Live units that hold a phrase, ascending within a segment; none when positions are not kept or it has no terms. */
export function unitsWithPhrase(segments: LiveSegments, { terms, others = [] }: Phrase): readonly number[] {
  if (terms.length === 0) return [];
  if (others.length === 0) return segments.all.flatMap((owner) => unitsInSegment(owner, terms));
  return segments.all.flatMap((owner) => {
    const units = new Set([terms, ...others].flatMap((either) => unitsInSegment(owner, either)));
    return [...units].sort((a, b) => a - b);
  });
}

function unitsInSegment({ segment, dead }: LiveSegment, terms: PhraseTerms): readonly number[] {
  if (segment.positionStarts.length === 0) return [];
  const origin = terms[0]!.position;
  const cursors: Cursor[] = [];
  for (const { term, position } of terms) {
    const index = findWord(segment.terms, term.toWellFormed());
    if (index < 0) return [];
    cursors.push(openCursor(segment, index, position - origin));
  }
  const first = cursors[0]!;
  const found: number[] = [];
  for (; first.entry < first.end; step(segment, first)) {
    const local = segment.entryUnits[first.entry]!;
    const unit = segment.units[local]!;
    if (dead[local] === 1 || found.at(-1) === unit) continue;
    const field = segment.entryFields[first.entry]!;
    if (cursors.every((cursor) => advance(segment, cursor, local, field)) && areInLine(segment, cursors)) {
      found.push(unit);
    }
  }
  return found;
}

/** A place among the entries of one term of the phrase. */
interface Cursor {
  entry: number;
  readonly end: number;
  /** Index of the entry's first position. */
  position: number;
  /** How far from the phrase's first term this one stands. */
  readonly distance: number;
}

function openCursor(segment: Segment, term: number, distance: number): Cursor {
  return {
    entry: segment.entryStarts[term]!,
    end: segment.entryStarts[term + 1]!,
    position: segment.positionStarts[term]!,
    distance,
  };
}

function step(segment: Segment, cursor: Cursor): void {
  cursor.position += segment.entryFrequencies[cursor.entry]!;
  cursor.entry++;
}

/** Moves to the entry of a unit's field, or the first beyond it; says whether it is there. */
function advance(segment: Segment, cursor: Cursor, local: number, field: number): boolean {
  const { entryUnits, entryFields } = segment;
  while (cursor.entry < cursor.end) {
    const at = entryUnits[cursor.entry]!;
    if (at > local || (at === local && entryFields[cursor.entry]! >= field)) {
      return at === local && entryFields[cursor.entry] === field;
    }
    step(segment, cursor);
  }
  return false;
}

/** Whether some occurrence of the first term has all others at their distances. */
function areInLine(segment: Segment, cursors: readonly Cursor[]): boolean {
  const [first, ...others] = cursors.map((cursor) => ({
    distance: cursor.distance,
    positions: segment.positions.subarray(
      cursor.position,
      cursor.position + segment.entryFrequencies[cursor.entry]!,
    ),
  }));
  return first!.positions.some(
    (start) =>
      start < NO_POSITION &&
      others.every(
        ({ distance, positions }) => start + distance < NO_POSITION && positions.includes(start + distance),
      ),
  );
}
