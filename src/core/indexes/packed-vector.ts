/** Vectors as bytes, 12 bits a number: how they are stored, and how they lie in memory. */
import { DocfuseError } from '../errors.ts';

/**
 * The 8 upper bits of each number, then the 4 lower bits, two numbers in a byte, then the size of the largest number as a 32-bit
 * float. A number is `(16 · upper + lower − 2,056) · largest / 2,032`.
 */
export type PackedVector = Uint8Array;

/** The byte that encodes 0 in the upper bits. */
export const ZERO_POINT = 128;

/** Steps of the upper bits from 0 to the largest number. */
export const UPPER_LIMIT = 127;

/** Lower bits of a number: two numbers share a byte. They divide a step of the upper bits into 16. */
export const LOWER_BITS = 4;
export const LOWER_STEPS = 2 ** LOWER_BITS;

/** The lower bits that add nothing to the upper bits. */
const MIDDLE = LOWER_STEPS / 2;

/** The 12-bit number that encodes 0. */
export const ZERO = ZERO_POINT * LOWER_STEPS + MIDDLE;

const BYTES_OF_LARGEST = 4;

/** Packing a vector that was unpacked gives the same bytes. @throws DocfuseError `model_invalid` for NaN and Infinity */
export function packVector(vector: Float32Array): PackedVector {
  const upper = new Uint8Array(vector.length);
  const lower = new Uint8Array(Math.ceil(vector.length / 2));
  const largest = largestNumber(vector);
  const inverse = largest === 0 ? 0 : (UPPER_LIMIT * LOWER_STEPS) / largest;
  for (let place = 0; place < vector.length; place += 1) {
    // `| 0` drops the fraction, so adding 0.5 rounds to the nearest integer.
    const number = (vector[place]! * inverse + ZERO + 0.5) | 0;
    upper[place] = number >> LOWER_BITS;
    lower[place >> 1]! |= (number & (LOWER_STEPS - 1)) << ((place & 1) * LOWER_BITS);
  }
  return packRow(upper, lower, largest);
}

/** Returns the vector, each number to within 1/4,064 of the largest, which itself is exact. */
export function unpackVector(packed: PackedVector): Float32Array {
  const { upper, lower, largest } = partsOf(packed);
  const vector = new Float32Array(upper.length);
  for (let place = 0; place < vector.length; place += 1) {
    const low = (lower[place >> 1]! >> ((place & 1) * LOWER_BITS)) & (LOWER_STEPS - 1);
    vector[place] = ((upper[place]! * LOWER_STEPS + low - ZERO) * largest) / (UPPER_LIMIT * LOWER_STEPS);
  }
  return vector;
}

/** Joins the parts of a packed vector. @param lower @default those that add nothing to the upper bits */
export function packRow(upper: Uint8Array, lower: Uint8Array | undefined, largest: number): PackedVector {
  const packed = new Uint8Array(upper.length + Math.ceil(upper.length / 2) + BYTES_OF_LARGEST);
  packed.set(upper);
  if (lower) packed.set(lower, upper.length);
  else packed.fill(MIDDLE * (LOWER_STEPS + 1), upper.length);
  new DataView(packed.buffer).setFloat32(packed.length - BYTES_OF_LARGEST, largest, true);
  return packed;
}

/** Returns views of the parts of a packed vector, without a copy. */
export function partsOf(packed: PackedVector) {
  const end = packed.length - BYTES_OF_LARGEST;
  const dimensions = Math.floor((2 * end) / 3);
  return {
    upper: packed.subarray(0, dimensions),
    lower: packed.subarray(dimensions, end),
    largest: new DataView(packed.buffer, packed.byteOffset + end).getFloat32(0, true),
  };
}

/** Returns the size of the largest number. @throws DocfuseError `model_invalid` for NaN and Infinity */
export function largestNumber(vector: Float32Array): number {
  let largest = 0;
  let sum = 0;
  for (let place = 0; place < vector.length; place += 1) {
    const size = Math.abs(vector[place]!);
    sum += size;
    if (size > largest) largest = size;
  }
  if (Number.isFinite(sum)) return largest;
  throw new DocfuseError(
    'model_invalid',
    'The embedding model gave a vector with a number that is not finite.',
    'Choose another embedding model, or mend the embedder.',
  );
}

/** Checks what an embedder gave for `count` texts. @throws DocfuseError `model_invalid` */
export function checkVectors(vectors: readonly Float32Array[], count: number, dimensions: number): void {
  if (vectors.length !== count) {
    throw new DocfuseError(
      'model_invalid',
      `The embedding model gave ${vectors.length} vectors in place of ${count}.`,
      'Give a vector for each text, in the same order.',
    );
  }
  for (const vector of vectors) {
    checkLength(vector?.length ?? 0, dimensions);
    largestNumber(vector);
  }
}

/** @throws DocfuseError `model_invalid` */
export function checkLength(length: number, dimensions: number): void {
  if (length === dimensions) return;
  throw new DocfuseError(
    'model_invalid',
    `The embedding model gave a vector of length ${length}; the index has vectors of length ${dimensions}.`,
    'Use the embedding model that made the other vectors.',
  );
}
