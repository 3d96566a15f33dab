/** Upper bits of the vectors of consecutive passages, and their largest numbers. The rounding changes a cosine by half a percent. */
import { type PackedVector, packRow, packVector, partsOf } from '../indexes/packed-vector.ts';

/** Bytes of a fragment, not compressed. */
const FRAGMENT_SIZE = 2_000_000;

export const vectorsEach = (dimensions: number) => Math.max(1, Math.floor(FRAGMENT_SIZE / dimensions));

/** @param vectors all of the length `dimensions` */
export function encodeVectors(vectors: readonly Float32Array[], dimensions: number): Uint8Array<ArrayBuffer> {
  const size = vectors.length * dimensions;
  const written = new Uint8Array(size + vectors.length * 4);
  const view = new DataView(written.buffer, size);
  for (const [row, vector] of vectors.entries()) {
    const { upper, largest } = partsOf(packVector(vector));
    written.set(upper, row * dimensions);
    view.setFloat32(row * 4, largest, true);
  }
  return written;
}

export function decodeVectors(bytes: Uint8Array<ArrayBuffer>, dimensions: number): readonly PackedVector[] {
  const rows = bytes.length / (dimensions + 4);
  const largest = new DataView(bytes.buffer, bytes.byteOffset + rows * dimensions);
  return Array.from({ length: rows }, (_, row) => {
    const upper = bytes.subarray(row * dimensions, (row + 1) * dimensions);
    return packRow(upper, undefined, largest.getFloat32(row * 4, true));
  });
}
