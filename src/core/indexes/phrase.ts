/** Finds terms at given distances from each other within one field. */
import type { Phrase, PhraseTerms } from '../model/query.ts';
import type { LiveSegment, LiveSegments } from './live-segments.ts';
import { fieldOf, frequencyOf, NO_POSITION, SKIP, type TermPostings } from './posting-codec.ts';

/** Returns the live units that hold a phrase, each once. Empty if positions are not kept or the phrase has no terms. */
export function unitsWithPhrase(segments: LiveSegments, { terms, others = [] }: Phrase): readonly number[] {
  if (terms.length === 0) return [];
  const units = new Set<number>();
  for (const owner of segments.all) {
    for (const either of [terms, ...others]) {
      for (const { local } of findPhrase(owner, either)) units.add(owner.units[local]!);
    }
  }
  return [...units];
}

/** One field of a unit that holds a phrase. */
export interface PhraseEntry {
  /** Number of the unit within its segment. */
  readonly local: number;
  readonly field: number;
  /** How often the phrase occurs in the field. */
  readonly frequency: number;
}

/** Yields the fields of live units that hold a phrase, in order of unit. Nothing if positions are not kept. */
export function* findPhrase(
  { segment, dead, find, postingsOf }: LiveSegment,
  terms: PhraseTerms,
): Generator<PhraseEntry> {
  if (!segment.hasPositions) return;
  const cursors: Cursor[] = [];
  for (const { term, position } of terms) {
    const index = find(term.toWellFormed());
    if (index < 0) return;
    cursors.push(openCursor(postingsOf(index), position));
  }
  cursors.sort((a, b) => a.postings.units.length - b.postings.units.length);
  const rarest = cursors[0]!;
  const { units, occurrences } = rarest.postings;
  for (; rarest.entry < units.length; step(rarest)) {
    const local = units[rarest.entry]!;
    if (dead[local] === 1) continue;
    const field = fieldOf(occurrences[rarest.entry]!);
    if (!cursors.every((cursor) => advance(cursor, local, field))) continue;
    const frequency = countAdjacent(cursors);
    if (frequency > 0) yield { local, field, frequency };
  }
}

/** The current entry of one term of the phrase. */
export interface Cursor {
  readonly postings: TermPostings;
  entry: number;
  /** Index of the entry's first position. */
  position: number;
  /** Place of the term in the phrase. */
  readonly place: number;
}

/** @param postings with positions */
export function openCursor(postings: TermPostings, place: number): Cursor {
  return { postings, entry: 0, position: 0, place };
}

export function step(cursor: Cursor): void {
  cursor.position += frequencyOf(cursor.postings.occurrences[cursor.entry]!);
  cursor.entry++;
}

/** Moves a cursor to the entry of a unit's field, or to the first entry after it. Returns whether the field has an entry. */
export function advance(cursor: Cursor, local: number, field: number): boolean {
  const { units, occurrences } = cursor.postings;
  for (skipTo(cursor, local); units[cursor.entry] === local; step(cursor)) {
    const here = fieldOf(occurrences[cursor.entry]!);
    if (here >= field) return here === field;
  }
  return false;
}

/** Moves a cursor forward to the first entry of a unit, or else of the next unit. Returns whether the unit has an entry there. */
export function skipTo(cursor: Cursor, local: number): boolean {
  const { units, occurrences, skips } = cursor.postings;
  // Local variables: two frequent words have many entries between those that are asked for.
  let { entry, position } = cursor;
  // After the last entry, `units` has undefined, which is not below `local`.
  for (let skip = Math.floor(entry / SKIP) + 1; units[skip * SKIP]! < local; skip++) {
    entry = skip * SKIP;
    position = skips[skip - 1]!;
  }
  while (entry < units.length && units[entry]! < local) position += frequencyOf(occurrences[entry++]!);
  cursor.entry = entry;
  cursor.position = position;
  return units[entry] === local;
}

/** Counts the places where each term is at its place in the phrase. */
function countAdjacent(cursors: readonly Cursor[]): number {
  const first = cursors[0]!;
  let [count, last] = [0, -1];
  for (let at = first.position; at < endOf(first); at++) {
    const position = first.postings.positions[at]!;
    // A name like `OpenED` has the term `open` twice at one position.
    if (position !== last && cursors.every((cursor) => isAt(cursor, position - first.place))) count++;
    last = position;
  }
  return count;
}

/** Whether the current entry has a term at its place in a phrase that begins at `origin`. */
function isAt(cursor: Cursor, origin: number): boolean {
  const { positions } = cursor.postings;
  const wanted = origin + cursor.place;
  for (let at = cursor.position; at < endOf(cursor); at++)
    if (positions[at] === wanted) return wanted !== NO_POSITION;
  return false;
}

/** Returns the index after the last position of the current entry. */
export function endOf({ postings, entry, position }: Cursor): number {
  return position + frequencyOf(postings.occurrences[entry]!);
}
