/** Cuts a large segment into a head and pieces, so that a search reads only the pieces that hold its words. */
import { DocfuseError } from '../errors.ts';
import { lazyConstant } from '../text/lazy-constant.ts';
import { runningSum } from './arrays.ts';
import type { Segment } from './segment.ts';
import {
  aligned,
  CUT,
  checksum,
  damaged,
  decodeSegment,
  encodeParts,
  encodeSegment,
  lengthOf,
  partsOf,
  readArrays,
  readParts,
  wide,
} from './segment-codec.ts';

/** Bytes of a piece: one row in a page of 16 KiB, with what the row has besides. */
const PIECE = 16_320;

/** A segment with fewer bytes to cut off is not cut: reading it as a whole takes less than a millisecond. */
const MIN_BODY = 8 * PIECE;

/** What every search needs. */
const HEAD = ['units', 'lengths', 'terms', 'entryStarts', 'unitFrequencies', 'positionStarts'] as const;
/** The pieces hold these arrays, then the words as written. A search needs the latter only for prefixes and misspelt words. */
const ENTRIES = ['entryUnits', 'entryOccurrences', 'positions'] as const;
const WRITTEN = ['surfaces', 'surfaceTerms', 'surfaceFrequencies'] as const;

export interface CutSegment {
  readonly head: Uint8Array;
  /**
   * Of equal length, so that a store can overwrite them in their place. Empty for a small segment. Each is made when it is asked for:
   * all together take as much memory as the segment.
   */
  readonly pieces: Iterable<Uint8Array>;
}

/** @param room length of the head that a former segment had: see `encodeSegment` */
export function cutSegment(segment: Segment, room?: number): CutSegment {
  const body = partsOf(segment, [...ENTRIES, ...WRITTEN]);
  if (lengthOf(body) < MIN_BODY) return { head: encodeSegment(segment, room), pieces: [] };
  const pieces = { [Symbol.iterator]: () => eachPiece(body) };
  const lengths = Uint32Array.from(body, ({ byteLength }) => byteLength);
  const checksums: number[] = [];
  for (const piece of pieces) checksums.push(checksum(piece));
  const parts = [...partsOf(segment, HEAD), lengths, Uint32Array.from(checksums)];
  return { head: encodeParts(CUT, segment.fieldCount, parts, room), pieces };
}

/** Lays the parts out as `encodeParts` does, and yields the bytes by pieces. */
function* eachPiece(parts: ReturnType<typeof partsOf>): Generator<Uint8Array> {
  let piece = new Uint8Array(PIECE);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    const part = new Uint8Array(buffer, byteOffset, byteLength);
    for (let from = 0; from < byteLength; ) {
      const some = part.subarray(from, from + PIECE - at);
      piece.set(some, at);
      from += some.length;
      at = aligned(at + some.length);
      if (at < PIECE) continue;
      yield piece;
      piece = new Uint8Array(PIECE);
      at = 0;
    }
  }
  if (at > 0) yield piece;
}

/**
 * Reads a segment from its head. The rest is read by its `partial`.
 * @param readPiece returns a piece by its number; undefined if it is missing
 * @param isReplaced whether the head was replaced meanwhile; asked if a piece does not match it
 * @throws DocfuseError `index_damaged`
 */
export function openSegment(
  head: Uint8Array,
  readPiece: (piece: number) => Uint8Array | undefined,
  isReplaced: () => boolean,
): Segment {
  const { version, fieldCount, unitCount, next } = readParts(head);
  if (version !== CUT) return decodeSegment(head);
  const inHead = readArrays(HEAD, next, unitCount);
  const [sizes, checksums] = [wide(next), wide(next)];
  // Takes little memory before it is filled, because the system provides pages when they are written.
  const body = new Uint8Array(checksums.length * PIECE);
  if (lengthOf([...sizes].map((byteLength) => ({ byteLength }))) > body.length) throw damaged('is cut short');
  const missing = new Set(checksums.keys());

  function need(from: number, to: number, keep = true): void {
    if (missing.size === 0) return;
    for (let piece = Math.floor(from / PIECE); piece * PIECE < to; piece++) {
      if (!missing.has(piece)) continue;
      const bytes = readPiece(piece);
      if (bytes?.length !== PIECE || checksum(bytes) !== checksums[piece])
        throw isReplaced() ? replacedMeanwhile() : damaged('does not match its checksum');
      if (!keep) continue;
      body.set(bytes, piece * PIECE);
      missing.delete(piece);
    }
  }

  const starts = runningSum(sizes.map(aligned));
  /** Makes a function that returns one part after the other, from the part `first` on. */
  const partsFrom = (first: number) => {
    let part = first;
    return () => {
      const start = starts[part]!;
      const end = start + sizes[part]!;
      part++;
      return body.subarray(start, end);
    };
  };
  const entries = readArrays(ENTRIES, partsFrom(0), unitCount);
  const written = lazyConstant(() => {
    const first = ENTRIES.length;
    need(starts[first]!, body.length);
    return readArrays(WRITTEN, partsFrom(first), unitCount);
  });

  return {
    fieldCount,
    ...inHead,
    ...entries,
    get surfaces() {
      return written().surfaces;
    },
    get surfaceTerms() {
      return written().surfaceTerms;
    },
    get surfaceFrequencies() {
      return written().surfaceFrequencies;
    },
    partial: {
      readTerm(term) {
        // The numbers are places in `ENTRIES`.
        for (const [part, array, bounds] of [
          [0, entries.entryUnits, inHead.entryStarts],
          [1, entries.entryOccurrences, inHead.entryStarts],
          [2, entries.positions, inHead.positionStarts],
        ] as const) {
          if (bounds.length === 0) continue;
          const width = array.BYTES_PER_ELEMENT;
          need(starts[part]! + bounds[term]! * width, starts[part]! + bounds[term + 1]! * width);
        }
      },
      readAll: (keep) => need(0, body.length, keep),
      bytes: head.length + body.length,
    },
  };
}

export function replacedMeanwhile(): DocfuseError {
  return new DocfuseError(
    'index_busy',
    'Another process changed the index while its words were read.',
    'Repeat the command.',
  );
}
