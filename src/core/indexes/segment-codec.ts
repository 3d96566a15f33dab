/** Encodes segments as bytes: a header with version and checksum, then the arrays. Loading is one read, without parsing. */
import { DocfuseError } from '../errors.ts';
import type { Dictionary } from './dictionary.ts';
import { localUnits, MAX_FREQUENCY, occurrence, type Segment } from './segment.ts';

/** "DFSG" as a little-endian number; it does not match on a big-endian machine. */
const MAGIC = 0x47534644;
const VERSION = 2;

/** Header: magic number, checksum of all bytes after it, version, field count. The length of each part in bytes follows. */
const FIXED_WORDS = 4;
/** The checksum covers the bytes from this offset. */
const CHECKED_FROM = 8;

/** Share of the bytes of a segment that may be zeros at its end. */
const MAX_PADDING = 0.25;

/**
 * Returns the bytes of a segment. Each part begins at a multiple of 4.
 * @param room length to fill with zeros, if few are needed: a store can overwrite former bytes of equal length in their place
 */
export function encodeSegment(segment: Segment, room = 0): Uint8Array {
  const parts = partsOf(segment);
  const header = (FIXED_WORDS + parts.length) * 4;
  const length = parts.reduce((sum, part) => sum + aligned(part.byteLength), header);
  const bytes = new Uint8Array(length <= room && length >= room * (1 - MAX_PADDING) ? room : length);
  const words = new Uint32Array(bytes.buffer, 0, FIXED_WORDS + parts.length);
  words.set([MAGIC, 0, VERSION, segment.fieldCount, ...parts.map((part) => part.byteLength)]);
  let offset = header;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), offset);
    offset += aligned(part.byteLength);
  }
  words[1] = checksum(bytes.subarray(CHECKED_FROM));
  return bytes;
}

/**
 * Reads a segment. Its arrays are views of `bytes`, so do not change `bytes` afterwards.
 * @throws DocfuseError `index_damaged` if the bytes are not what `encodeSegment` returned
 */
export function decodeSegment(bytes: Uint8Array): Segment {
  // Typed arrays need an aligned start; a slice of a larger read may not be aligned.
  if (bytes.byteOffset % 4 !== 0) bytes = bytes.slice();
  if (bytes.byteLength < (FIXED_WORDS + PART_COUNT) * 4 || bytes.byteLength % 4 !== 0)
    throw damaged('is cut short');
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  if (words[0] !== MAGIC) throw damaged('is not in the format of a segment');
  if (words[1] !== checksum(bytes.subarray(CHECKED_FROM))) throw damaged('does not match its checksum');
  const version = words[2]!;
  if (version !== VERSION && version !== 1) throw damaged(`has format version ${version}, not ${VERSION}`);

  let part = 0;
  let offset = (FIXED_WORDS + (version === 1 ? PART_COUNT + 1 : PART_COUNT)) * 4;
  function next(): Uint8Array {
    const length = words[FIXED_WORDS + part++]!;
    const start = offset;
    offset += aligned(length);
    if (offset > bytes.byteLength) throw damaged('is cut short');
    return bytes.subarray(start, start + length);
  }
  const unitCount = words[FIXED_WORDS]! / 4;
  const readers = Object.entries(version === 1 ? READERS_OF_VERSION_1 : READERS);
  const arrays = Object.fromEntries(readers.map(([name, read]) => [name, read(next, unitCount)]));
  return { fieldCount: words[3]!, ...(arrays as Arrays) };
}

type Arrays = Omit<Segment, 'fieldCount' | 'absent'>;

/** Reads the arrays of a segment from their parts, in the order in which the parts are stored. */
const READERS: {
  readonly [Name in keyof Arrays]: (next: () => Uint8Array, unitCount: number) => Arrays[Name];
} = {
  units: wide,
  lengths: wide,
  terms: dictionary,
  entryStarts: wide,
  unitFrequencies: wide,
  entryUnits: (next, unitCount) => (localUnits(unitCount, 0).BYTES_PER_ELEMENT === 4 ? wide : narrow)(next),
  entryOccurrences: narrow,
  positionStarts: wide,
  positions: narrow,
  surfaces: dictionary,
  surfaceTerms: wide,
  surfaceFrequencies: wide,
};

/** In version 1, units had 4 bytes in every segment, and fields and frequencies were two parts. */
const READERS_OF_VERSION_1: typeof READERS = {
  ...READERS,
  entryUnits(next, unitCount) {
    const read = wide(next);
    const units = localUnits(unitCount, read.length);
    units.set(read);
    return units;
  },
  entryOccurrences(next) {
    const fields = next();
    return narrow(next).map((frequency, entry) => {
      if (frequency > MAX_FREQUENCY) throw damaged('has a word too often for its present format');
      return occurrence(fields[entry]!, frequency);
    });
  },
};

/** Number of parts: one for each array, two for a dictionary. */
const PART_COUNT = 14;

function partsOf(segment: Segment): readonly (Uint8Array | Uint16Array | Uint32Array)[] {
  type Part = Uint8Array | Uint16Array | Uint32Array;
  return (Object.keys(READERS) as (keyof Arrays)[]).flatMap((name): Part | Part[] => {
    const array = segment[name];
    return 'text' in array ? [new TextEncoder().encode(array.text), array.starts] : array;
  });
}

function dictionary(next: () => Uint8Array): Dictionary {
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(next()), starts: wide(next) };
}

function wide(next: () => Uint8Array): Uint32Array {
  const part = next();
  return new Uint32Array(part.buffer, part.byteOffset, part.byteLength / 4);
}

function narrow(next: () => Uint8Array): Uint16Array {
  const part = next();
  return new Uint16Array(part.buffer, part.byteOffset, part.byteLength / 2);
}

function aligned(length: number): number {
  return (length + 3) & ~3;
}

function damaged(what: string): DocfuseError {
  return new DocfuseError(
    'index_damaged',
    `A saved segment of the index ${what}.`,
    'Run docfuse index, which makes new segments from the stored text.',
  );
}

/**
 * Returns the MurmurHash3_x86_32 (Austin Appleby, 2011) with seed 0. It detects damage, not tampering. Every step is invertible,
 * so a change within one word always changes the result. Any other change is missed with a probability of 1 in 2³².
 * @param bytes starts at a multiple of 4 in its buffer; its length is a multiple of 4
 */
export function checksum(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  let hash = 0;
  for (let i = 0; i < words.length; i++) {
    let word = Math.imul(words[i]!, 0xcc9e2d51);
    word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    hash ^= word;
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  hash ^= bytes.byteLength;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
