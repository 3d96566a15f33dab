/** Finds terms at given distances from each other within one field. */
import type { Phrase, PhraseTerms } from '../model/query.ts';
import type { LiveSegment, LiveSegments } from './live-segments.ts';
import { fieldOf, frequencyOf, NO_POSITION, type TermPostings } from './posting-codec.ts';

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
  const origin = terms[0]!.position;
  const cursors: Cursor[] = [];
  for (const { term, position } of terms) {
    const index = find(term.toWellFormed());
    if (index < 0) return;
    cursors.push(openCursor(postingsOf(index), position - origin));
  }
  const first = cursors[0]!;
  const { units, occurrences } = first.postings;
  for (; first.entry < units.length; step(first)) {
    const local = units[first.entry]!;
    if (dead[local] === 1) continue;
    const field = fieldOf(occurrences[first.entry]!);
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
  /** Distance of this term from the first term of the phrase. */
  readonly distance: number;
}

export function openCursor(postings: TermPostings, distance: number): Cursor {
  return { postings, entry: 0, position: 0, distance };
}

export function step(cursor: Cursor): void {
  cursor.position += frequencyOf(cursor.postings.occurrences[cursor.entry]!);
  cursor.entry++;
}

/** Moves a cursor to the entry of a unit's field, or to the first entry after it. Returns whether the field has an entry. */
export function advance(cursor: Cursor, local: number, field: number): boolean {
  const { units, occurrences } = cursor.postings;
  while (cursor.entry < units.length) {
    const at = units[cursor.entry]!;
    if (at > local) return false;
    const here = fieldOf(occurrences[cursor.entry]!);
    if (at === local && here >= field) return here === field;
    step(cursor);
  }
  return false;
}

/** Counts the places of a phrase: positions of its first term where each other term follows at its distance. */
function countAdjacent(cursors: readonly Cursor[]): number {
  const [first, ...others] = cursors.map(({ postings, entry, position, distance }) => ({
    distance,
    positions: postings.positions.subarray(position, position + frequencyOf(postings.occurrences[entry]!)),
  }));
  let count = 0;
  for (const start of first!.positions) {
    const isWhole = others.every(
      ({ distance, positions }) => start + distance < NO_POSITION && positions.includes(start + distance),
    );
    if (start < NO_POSITION && isWhole) count++;
  }
  return count;
}
