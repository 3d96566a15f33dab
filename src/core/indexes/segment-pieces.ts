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

/** Bytes that are read at least, and have a checksum. Most words of a large index have less. */
const BLOCK = 2_040;

/** Bytes of a piece: one row in a page of 16 KiB, with what the row has besides. */
const PIECE = 8 * BLOCK;

/** A segment with fewer bytes to cut off is not cut: reading it as a whole takes less than a millisecond. */
const MIN_BODY = 8 * PIECE;

/** What every search needs. */
const HEAD = ['units', 'lengths', 'terms', 'postingStarts', 'unitFrequencies'] as const;
/** The pieces hold the postings, then the words as written. A search needs the latter only for prefixes and misspelt words. */
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
  const body = partsOf(segment, ['postings', ...WRITTEN]);
  if (lengthOf(body) < MIN_BODY) return { head: encodeSegment(segment, room), pieces: [] };
  const pieces = { [Symbol.iterator]: () => eachPiece(body) };
  const lengths = Uint32Array.from(body, ({ byteLength }) => byteLength);
  const checksums: number[] = [];
  for (const piece of pieces)
    for (let at = 0; at < PIECE; at += BLOCK) checksums.push(checksum(piece, at, BLOCK));
  const parts = [...partsOf(segment, HEAD), lengths, Uint32Array.from(checksums)];
  return { head: encodeParts(CUT, segment, parts, room), pieces };
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
 * Reads a segment from its head. Blocks of postings are read when they are needed, and not kept; the words as written are kept.
 * @param readPiece returns some bytes of a piece by its number; undefined if it is missing
 * @param isReplaced whether the head was replaced meanwhile; asked if a block does not match it
 * @throws DocfuseError `index_damaged`
 */
export function openSegment(
  head: Uint8Array,
  readPiece: (piece: number, from: number, to: number) => Uint8Array | undefined,
  isReplaced: () => boolean,
): Segment {
  const { version, next, ...facts } = readParts(head);
  if (version !== CUT) return decodeSegment(head);
  const inHead = readArrays(HEAD, next);
  const [sizes, checksums] = [wide(next), wide(next)];
  const starts = runningSum(sizes.map(aligned));
  const length = checksums.length * BLOCK;
  if (starts.at(-1)! > length) throw damaged('is cut short');

  /** Reads bytes of the pieces, as if these were one array. */
  function read(from: number, to: number): Uint8Array {
    const start = from - (from % BLOCK);
    const end = Math.ceil(to / BLOCK) * BLOCK;
    const bytes = new Uint8Array(end - start);
    for (let at = start; at < end; ) {
      const piece = Math.floor(at / PIECE);
      const next = Math.min(end, (piece + 1) * PIECE);
      const some = readPiece(piece, at - piece * PIECE, next - piece * PIECE);
      if (some?.length !== next - at || !areSound(some, at / BLOCK))
        throw isReplaced() ? replacedMeanwhile() : damaged('does not match its checksum');
      bytes.set(some, at - start);
      at = next;
    }
    return bytes.subarray(from - start, to - start);
  }

  function areSound(blocks: Uint8Array, first: number): boolean {
    for (let at = 0; at < blocks.length; at += BLOCK)
      if (checksum(blocks, at, BLOCK) !== checksums[first + at / BLOCK]) return false;
    return true;
  }

  const written = lazyConstant(() => {
    let part = 0;
    return readArrays(WRITTEN, () => {
      part++;
      return read(starts[part]!, starts[part]! + sizes[part]!);
    });
  });
  return {
    ...facts,
    ...inHead,
    postings: { byteLength: sizes[0]!, subarray: read },
    get surfaces() {
      return written().surfaces;
    },
    get surfaceTerms() {
      return written().surfaceTerms;
    },
    get surfaceFrequencies() {
      return written().surfaceFrequencies;
    },
    saved: {
      byteLength: head.length + length,
      check() {
        for (let at = 0; at < length; at += PIECE) read(at, at + PIECE);
      },
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
