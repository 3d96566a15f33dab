/** Encodes segments as bytes: a header with version and checksum, then the arrays, which loading copies. */
import { DocfuseError } from '../errors.ts';
import type { Dictionary } from './dictionary.ts';
import type { Segment } from './segment.ts';

/** "DFSG" as a little-endian number; it does not match on a big-endian machine. */
const MAGIC = 0x47534644;
const VERSION = 4;
/** Version of the head of a segment that is cut into pieces (segment-pieces.ts). */
export const CUT = 5;
const PART_COUNTS: Readonly<Record<number, number>> = { [VERSION]: 11, [CUT]: 8 };

/**
 * Header: magic number, checksum of all bytes after it, version, field count, 1 if positions are kept. The length of each part in
 * bytes follows.
 */
const FIXED_WORDS = 5;
/** Bytes at the beginning of a segment that differ, almost always, if anything in it does. */
export const HEADER_BYTES = FIXED_WORDS * 4;
/** The checksum covers the bytes from this offset. */
const CHECKED_FROM = 8;

/** Share of the bytes of a segment that may be zeros at its end. */
const MAX_PADDING = 0.25;

/**
 * Returns the bytes of a segment. Each part begins at a multiple of 4.
 * @param room length to fill with zeros, if few are needed: a store can overwrite former bytes of equal length in their place
 */
export function encodeSegment(segment: Segment, room = 0): Uint8Array {
  return encodeParts(VERSION, segment, partsOf(segment, ARRAYS), room);
}

type Part = Uint8Array | Uint32Array;

export function encodeParts(
  version: number,
  { fieldCount, hasPositions }: Pick<Segment, 'fieldCount' | 'hasPositions'>,
  parts: readonly Part[],
  room = 0,
): Uint8Array {
  const header = (FIXED_WORDS + parts.length) * 4;
  const length = header + lengthOf(parts);
  const bytes = new Uint8Array(length <= room && length >= room * (1 - MAX_PADDING) ? room : length);
  const words = new Uint32Array(bytes.buffer, 0, FIXED_WORDS + parts.length);
  words.set([MAGIC, 0, version, fieldCount, Number(hasPositions), ...parts.map((part) => part.byteLength)]);
  let offset = header;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), offset);
    offset += aligned(part.byteLength);
  }
  words[1] = checksum(bytes, CHECKED_FROM, bytes.length - CHECKED_FROM);
  return bytes;
}

/** Returns the bytes of parts that each begin at a multiple of 4. */
export function lengthOf(parts: readonly Pick<Part, 'byteLength'>[]): number {
  return parts.reduce((sum, { byteLength }) => sum + aligned(byteLength), 0);
}

/**
 * Reads a segment. Its arrays are copies, so that the bytes of its words do not stay in memory beside their text.
 * @throws DocfuseError `index_damaged` if the bytes are not what `encodeSegment` returned
 */
export function decodeSegment(bytes: Uint8Array): Segment {
  const { version, next, ...facts } = readParts(bytes);
  if (version === CUT) throw damaged('lacks its pieces');
  return { ...facts, ...readArrays(ARRAYS, next) };
}

/**
 * Reads bytes from `encodeParts`.
 * @returns `next` returns one part after the other
 * @throws DocfuseError `index_damaged` if the bytes are damaged or of another version
 */
export function readParts(bytes: Uint8Array) {
  // Typed arrays need an aligned start; a slice of a larger read may not be aligned.
  if (bytes.byteOffset % 4 !== 0) bytes = new Uint8Array(bytes);
  const { byteLength } = bytes;
  if (byteLength < FIXED_WORDS * 4 || byteLength % 4 !== 0) throw damaged('is cut short');
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, byteLength / 4);
  if (words[0] !== MAGIC) throw damaged('is not in the format of a segment');
  if (words[1] !== checksum(bytes, CHECKED_FROM, byteLength - CHECKED_FROM))
    throw damaged('does not match its checksum');
  const version = words[2]!;
  const partCount = PART_COUNTS[version];
  if (partCount === undefined) throw damaged(`has format version ${version}, not ${VERSION}`);

  let part = 0;
  let offset = (FIXED_WORDS + partCount) * 4;
  if (offset > byteLength) throw damaged('is cut short');
  function next(): Uint8Array {
    const length = words[FIXED_WORDS + part++]!;
    const start = offset;
    offset += aligned(length);
    if (offset > byteLength) throw damaged('is cut short');
    return bytes.subarray(start, start + length);
  }
  return { version, fieldCount: words[3]!, hasPositions: words[4] === 1, next };
}

type Arrays = Omit<Segment, 'fieldCount' | 'hasPositions' | 'absent' | 'saved'>;
type ArrayName = keyof Arrays;

/** Read the arrays of a segment from their parts, in the order in which the parts are stored. */
const READERS: { readonly [Name in ArrayName]: (next: () => Uint8Array) => Arrays[Name] } = {
  units: wide,
  lengths: wide,
  terms: dictionary,
  postingStarts: wide,
  unitFrequencies: wide,
  postings: (next) => new Uint8Array(next()),
  surfaces: dictionary,
  surfaceTerms: wide,
  surfaceFrequencies: wide,
};
const ARRAYS = Object.keys(READERS) as readonly ArrayName[];

/** Reads some arrays from parts in the order of `partsOf`. @param next returns one part after the other */
export function readArrays<Name extends ArrayName>(
  names: readonly Name[],
  next: () => Uint8Array,
): Pick<Arrays, Name> {
  return Object.fromEntries(names.map((name) => [name, READERS[name](next)])) as Pick<Arrays, Name>;
}

/** Returns the parts of some arrays: one for each array, two for a dictionary. */
export function partsOf(segment: Segment, names: readonly ArrayName[]): readonly Part[] {
  return names.flatMap((name): Part | Part[] => {
    const array = segment[name];
    if ('text' in array) return [new TextEncoder().encode(array.text), array.starts];
    return array instanceof Uint32Array ? array : array.subarray(0, array.byteLength);
  });
}

function dictionary(next: () => Uint8Array): Dictionary {
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(next()), starts: wide(next) };
}

export function wide(next: () => Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(next()).buffer);
}

export function aligned(length: number): number {
  return (length + 3) & ~3;
}

export function damaged(what: string): DocfuseError {
  return new DocfuseError(
    'index_damaged',
    `A saved segment of the index ${what}.`,
    'Run docfuse index, which makes new segments from the stored text.',
  );
}

/**
 * Returns the MurmurHash3_x86_32 (Austin Appleby, 2011) with seed 0. It detects damage, not tampering. Every step is invertible,
 * so a change within one word always changes the result. Any other change is missed with a probability of 1 in 2³².
 * @param bytes begins at a multiple of 4 in its buffer
 * @param from index of the first byte, a multiple of 4, as is `length`
 */
export function checksum(
  { buffer, byteOffset, byteLength }: Uint8Array,
  from = 0,
  length = byteLength,
): number {
  const words = new Int32Array(buffer, byteOffset + from, length / 4);
  let hash = 0;
  for (let i = 0; i < words.length; i++) {
    let word = Math.imul(words[i]!, 0xcc9e2d51);
    word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    hash ^= word;
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
