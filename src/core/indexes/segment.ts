/** An immutable block of postings for some units: their words, with fields, frequencies and positions. */
import type { Dictionary } from './dictionary.ts';
import { decodePostings, type TermPostings } from './posting-codec.ts';

/**
 * Postings of a number of units. A unit is what BM25F calls a document: here a chunk (its slot) or a document (its number). Units
 * are numbered from 0 inside the segment; `units` gives their global numbers.
 */
export interface Segment {
  readonly fieldCount: number;
  readonly hasPositions: boolean;
  /** Global number of each local unit. */
  readonly units: Uint32Array;
  /** Number of positions in field `f` of local unit `u`: `lengths[f * units.length + u]`. */
  readonly lengths: Uint32Array;

  readonly terms: Dictionary;
  /** Start of each term's bytes in `postings`. Length: number of terms + 1. */
  readonly postingStarts: Uint32Array;
  /** Number of units that hold the term, live or dead. */
  readonly unitFrequencies: Uint32Array;
  /** Number of units outside the segment that hold the term; absent if the segment has all units that hold it. */
  readonly absent?: Uint32Array;
  /** Bytes of `createPostingWriter`. */
  readonly postings: Bytes;

  /** Folded words as written, for prefixes and spelling; empty if they are not kept. */
  readonly surfaces: Dictionary;
  /** By surface word: index of its term. */
  readonly surfaceTerms: Uint32Array;
  /** How often the surface word was read. Includes dead units until the segment is merged. */
  readonly surfaceFrequencies: Uint32Array;

  /** Present if postings and surface words are read from a store when they are needed. */
  readonly saved?: SavedSegment;
}

/** Bytes in memory, or in a store. */
interface Bytes {
  readonly byteLength: number;
  readonly subarray: (from: number, to: number) => Uint8Array;
}

export interface SavedSegment {
  readonly byteLength: number;
  /** Reads all bytes, and keeps none. @throws DocfuseError `index_busy` if they were replaced, `index_damaged` */
  readonly check: () => void;
}

/** Reads the postings of a term. @throws DocfuseError as `SavedSegment.check` */
export function readPostings({ postings, postingStarts, hasPositions }: Segment, term: number): TermPostings {
  return decodePostings(postings.subarray(postingStarts[term]!, postingStarts[term + 1]!), hasPositions);
}

/** Returns the size of a segment in bytes. A letter of a dictionary is counted as one byte. */
export function segmentBytes(segment: Segment): number {
  if (segment.saved) return segment.saved.byteLength;
  const { terms, surfaces, fieldCount: _, hasPositions: __, saved: ___, ...arrays } = segment;
  const parts = [...Object.values(arrays), terms.starts, surfaces.starts];
  return parts.reduce((sum, { byteLength }) => sum + byteLength, terms.text.length + surfaces.text.length);
}
