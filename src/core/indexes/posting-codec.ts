/** The postings of terms as bytes: written by builders and merges, saved in segments, and decoded when a search asks for a term. */
import { firstIndex } from '../text/lines.ts';
import { enlarged } from './arrays.ts';

/** The entries of one term, ordered by unit, then field. An entry is the term in one field of one unit. */
export interface TermPostings {
  /** Local unit of each entry. The entries of one unit are next to each other. Two bytes each if that is enough, as memory is slow. */
  readonly units: Uint16Array | Uint32Array;
  /** Field and frequency of each entry in one number: see `occurrence`. */
  readonly occurrences: Uint16Array;
  /**
   * Each entry has as many positions as its frequency, in the order of the entries; empty if positions are not kept. A position
   * above `NO_POSITION` is stored as `NO_POSITION`, which never matches a phrase.
   */
  readonly positions: Uint16Array;
  /**
   * Index of the first position of entry `SKIP`, `2 · SKIP`, and so on, for searches that skip entries (Moffat and Zobel 1996). Empty if
   * positions are not kept.
   */
  readonly skips: readonly number[];
}

/** Number of entries that a search can skip at once. */
export const SKIP = 64;

/** The low bits of an occurrence are its field, so there are at most 16 fields. The other bits are its frequency. */
export const FIELD_BITS = 4;
export const FIELD_MASK = (1 << FIELD_BITS) - 1;

/** Largest frequency that an entry can hold; a larger frequency would hardly raise the BM25F score. */
export const MAX_FREQUENCY = 0xffff >>> FIELD_BITS;

/** @param field 0–15 @param frequency 1–`MAX_FREQUENCY`; a larger one is stored as `MAX_FREQUENCY` */
export function occurrence(field: number, frequency: number): number {
  return (Math.min(frequency, MAX_FREQUENCY) << FIELD_BITS) | field;
}

export const fieldOf = (occurrence: number) => occurrence & FIELD_MASK;
export const frequencyOf = (occurrence: number) => occurrence >>> FIELD_BITS;

/** Replaces every position that is too large to store. */
export const NO_POSITION = 0xffff;

/** Returns the first entry at or after a local unit. The entry may belong to a later unit, or be the end. */
export function firstEntry({ units }: TermPostings, local: number): number {
  return firstIndex(units.length, (at) => units[at]! >= local);
}

/** Yields the entries of a term one by one. Loops that must be fast read the arrays. */
export function* eachEntry({ units, occurrences, positions }: TermPostings) {
  let placed = 0;
  for (const [entry, local] of units.entries()) {
    const [field, frequency] = [fieldOf(occurrences[entry]!), frequencyOf(occurrences[entry]!)];
    // Empty if positions are not kept.
    yield { local, field, frequency, positions: positions.subarray(placed, placed + frequency) };
    placed += frequency;
  }
}

/**
 * A frequency from here on is stored as this number, and the rest follows.
 *
 * An entry is a byte with its frequency and field, the distance of its unit from the unit before, and its positions, each as its
 * distance from the one before. Numbers have seven bits a byte, the low ones first, as in Protocol Buffers and Lucene. Most
 * entries then take two bytes, and most positions one.
 */
const LONG = 15;

/** Max bytes of a number. */
const MAX_NUMBER = 5;

/** In place of the number of a unit or term that is left out. */
export const NONE = 0xffffffff;

/** Makes the postings of terms, one term after the other. @param capacity expected bytes of all postings */
export function createPostingWriter(hasPositions: boolean, capacity = 1024) {
  let bytes = new Uint8Array(capacity);
  let length = 0;
  let starts = new Uint32Array(1024);
  let frequencies = new Uint32Array(1024);
  let count = 0;
  /** Last unit of the current term, −1 before the first, and last position of its current entry. */
  let [unit, last] = [-1, 0];

  function reserve(more: number): void {
    if (length + more > bytes.length) bytes = enlarged(bytes, length + more, 1.5);
  }

  return {
    /** Adds an entry to the current term. Add entries in the order of `TermPostings`. */
    entry(local: number, occurrence: number): void {
      reserve(1 + 2 * MAX_NUMBER);
      const frequency = frequencyOf(occurrence);
      bytes[length++] = (Math.min(frequency, LONG) << FIELD_BITS) | fieldOf(occurrence);
      if (frequency >= LONG) length = putNumber(bytes, length, frequency - LONG);
      length = putNumber(bytes, length, local - Math.max(unit, 0));
      if (local !== unit) frequencies[count]!++;
      [unit, last] = [local, 0];
    },
    /** Adds a position to the last entry; as many as its frequency, ascending. */
    position(at: number): void {
      reserve(MAX_NUMBER);
      length = putNumber(bytes, length, at - last);
      last = at;
    },
    /**
     * Adds entries of other postings, which have positions if these have, to the current term.
     * @param start first byte of the term in `from` @param end after its last byte
     * @param renumbered by local unit there: its local unit here; `NONE` leaves its entries out
     * @returns whether an entry was added
     */
    copy(from: Uint8Array, start: number, end: number, renumbered: Uint32Array): boolean {
      const former = length;
      let old = 0;
      for (let at = start; at < end; ) {
        const head = at;
        let frequency = from[at++]! >>> FIELD_BITS;
        if (frequency === LONG) {
          const more = numberAt(from, at);
          frequency += more;
          at += sizeOfNumber(more);
        }
        const headEnd = at;
        const gap = numberAt(from, at);
        at += sizeOfNumber(gap);
        old += gap;
        const first = at;
        if (hasPositions) for (let left = frequency; left > 0 && at < end; at++) if (from[at]! < 0x80) left--;
        const local = renumbered[old]!;
        if (local === NONE) continue;
        reserve(at - head + MAX_NUMBER);
        const to = bytes;
        let next = length;
        for (let each = head; each < headEnd; each++) to[next++] = from[each]!;
        next = putNumber(to, next, local - Math.max(unit, 0));
        for (let each = first; each < at; each++) to[next++] = from[each]!;
        length = next;
        if (local !== unit) frequencies[count]!++;
        unit = local;
      }
      return length > former;
    },
    endTerm(): void {
      unit = -1;
      count++;
      if (count === frequencies.length) {
        starts = enlarged(starts, count * 2);
        frequencies = enlarged(frequencies, count * 2);
      }
      starts[count] = length;
    },
    /** Returns the parts of a segment that hold the postings. Call once, after the last term. */
    finish() {
      return {
        hasPositions,
        postingStarts: starts.slice(0, count + 1),
        unitFrequencies: frequencies.slice(0, count),
        postings: bytes.slice(0, length),
      };
    },
  };
}

/** Returns the postings of a term. @param bytes those of the term alone */
export function decodePostings(bytes: Uint8Array, hasPositions: boolean): TermPostings {
  // An entry has at least two bytes, or three with its position, and a position one.
  const most = Math.floor(bytes.length / (hasPositions ? 3 : 2));
  const units = new Uint32Array(most);
  const occurrences = new Uint16Array(most);
  const positions = new Uint16Array(hasPositions ? bytes.length : 0);
  const skips: number[] = [];
  let [entries, placed, unit] = [0, 0, 0];
  for (let at = 0; at < bytes.length; ) {
    const head = bytes[at++]!;
    let frequency = head >>> FIELD_BITS;
    if (frequency === LONG) {
      const more = numberAt(bytes, at);
      frequency += more;
      at += sizeOfNumber(more);
    }
    const gap = numberAt(bytes, at);
    at += sizeOfNumber(gap);
    unit += gap;
    units[entries] = unit;
    occurrences[entries++] = (frequency << FIELD_BITS) | (head & FIELD_MASK);
    if (!hasPositions) continue;
    let position = 0;
    for (let left = frequency; left > 0; left--) {
      const distance = numberAt(bytes, at);
      at += sizeOfNumber(distance);
      position += distance;
      positions[placed++] = position;
    }
    if (entries % SKIP === 0) skips.push(placed);
  }
  const inUse = units.subarray(0, entries);
  return {
    units: unit > 0xffff ? inUse.slice() : new Uint16Array(inUse),
    occurrences: occurrences.slice(0, entries),
    positions: positions.slice(0, placed),
    skips,
  };
}

/** Returns the number at an index. */
function numberAt(bytes: Uint8Array, at: number): number {
  let byte = bytes[at]!;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  for (let shift = 7; byte > 0x7f; shift += 7) {
    byte = bytes[++at]!;
    value |= (byte & 0x7f) << shift;
  }
  return value;
}

/** Returns how many bytes a number has. */
function sizeOfNumber(value: number): number {
  let size = 1;
  for (; value > 0x7f; value >>>= 7) size++;
  return size;
}

/** Returns the index after the number. */
function putNumber(bytes: Uint8Array, at: number, value: number): number {
  for (; value > 0x7f; value >>>= 7) bytes[at++] = value | 0x80;
  bytes[at++] = value;
  return at;
}
