/** An immutable block of postings for some units: their words, with fields, frequencies and positions. */
import { firstIndex } from '../text/lines.ts';
import { runningSum } from './arrays.ts';
import type { Dictionary } from './dictionary.ts';

/**
 * Postings of a number of units. A unit is what BM25F calls a document: here a chunk (its slot) or a document (its number). Units
 * are numbered from 0 inside the segment; `units` gives their global numbers. An entry is one term in one field of one unit. Term
 * `t` has the entries from `entryStarts[t]` up to `entryStarts[t + 1]`. They are ordered by unit, then field, so the entries of
 * one unit are next to each other.
 */
export interface Segment {
  readonly fieldCount: number;
  /** Global number of each local unit. */
  readonly units: Uint32Array;
  /** Number of positions in field `f` of local unit `u`: `lengths[f * units.length + u]`. */
  readonly lengths: Uint32Array;

  readonly terms: Dictionary;
  /** Start of each term's entries. Length: number of terms + 1. */
  readonly entryStarts: Uint32Array;
  /** Number of units that hold the term, live or dead. */
  readonly unitFrequencies: Uint32Array;
  /** Number of units outside the segment that hold the term; absent if the segment has all units that hold it. */
  readonly absent?: Uint32Array;

  readonly entryUnits: LocalUnits;
  /** Field and frequency in one number: see `occurrence`. */
  readonly entryOccurrences: Uint16Array;

  /**
   * Start of each term's positions in `positions`. Each entry has as many positions as its frequency, in the order of
   * the entries. Length: number of terms + 1; 0 if positions are not kept.
   */
  readonly positionStarts: Uint32Array;
  /** Positions in the field. A position above `NO_POSITION` is stored as `NO_POSITION`, which never matches a phrase. */
  readonly positions: Uint16Array;

  /** Folded words as written, for prefixes and spelling; empty if they are not kept. */
  readonly surfaces: Dictionary;
  /** By surface word: index of its term. */
  readonly surfaceTerms: Uint32Array;
  /** How often the surface word was read. Includes dead units until the segment is merged. */
  readonly surfaceFrequencies: Uint32Array;

  /** Present if the rest is read from a store when it is needed. */
  readonly partial?: PartialSegment;
}

/** Reads a segment from a store. Entries and positions are zeros before. @throws DocfuseError `index_busy`, `index_damaged` */
export interface PartialSegment {
  /** Reads the entries and positions of a term. */
  readonly readTerm: (term: number) => void;
  /** @param keep if false, the words are checked and not kept in memory. @default true */
  readonly readAll: (keep?: boolean) => void;
  /** Memory of the segment when all is read. */
  readonly bytes: number;
}

/** Local units of entries. They have two bytes if the segment has at most 65,536 units: a search waits mostly for memory. */
type LocalUnits = Uint16Array | Uint32Array;

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

export function localUnits(unitCount: number, entries: number): LocalUnits {
  return unitCount > 0x1_0000 ? new Uint32Array(entries) : new Uint16Array(entries);
}

/** Replaces every position that is too large to store. */
export const NO_POSITION = 0xffff;

/** A segment without its dictionaries: tables that are allocated first, and then filled by the builder or a merge. */
export type SegmentTables = Omit<
  Segment,
  'partial' | 'terms' | 'surfaces' | 'surfaceTerms' | 'surfaceFrequencies'
>;

/** Returns the first entry of a term at or after a local unit. The entry may belong to a later unit, or to the next term. */
export function firstEntry({ entryStarts, entryUnits }: Segment, term: number, local: number): number {
  const start = entryStarts[term]!;
  return start + firstIndex(entryStarts[term + 1]! - start, (at) => entryUnits[start + at]! >= local);
}

/** Returns the memory of a segment in bytes. A letter of a dictionary is counted as one byte. */
export function segmentBytes(segment: Segment): number {
  if (segment.partial) return segment.partial.bytes;
  const { terms, surfaces, fieldCount: _, partial: __, ...arrays } = segment;
  const parts = [...Object.values(arrays), terms.starts, surfaces.starts];
  return parts.reduce((sum, { byteLength }) => sum + byteLength, terms.text.length + surfaces.text.length);
}

/** Allocates the arrays of a segment. @param entryCounts by term @param positionCounts by term */
export function allocateTables(
  fieldCount: number,
  unitCount: number,
  entryCounts: Uint32Array,
  positionCounts: Uint32Array | undefined,
): SegmentTables {
  const entryStarts = runningSum(entryCounts);
  const positionStarts = positionCounts === undefined ? new Uint32Array(0) : runningSum(positionCounts);
  const entries = entryStarts[entryCounts.length]!;
  return {
    fieldCount,
    units: new Uint32Array(unitCount),
    lengths: new Uint32Array(unitCount * fieldCount),
    entryStarts,
    unitFrequencies: new Uint32Array(entryCounts.length),
    entryUnits: localUnits(unitCount, entries),
    entryOccurrences: new Uint16Array(entries),
    positionStarts,
    positions: new Uint16Array(positionStarts.at(-1) ?? 0),
  };
}
