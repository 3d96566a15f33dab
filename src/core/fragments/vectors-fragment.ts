/** Vectors of consecutive passages, as 8-bit rows with their scales. The rounding changes a cosine by half a percent. */
import { createVectorMatrix, ZERO_POINT } from '../indexes/vector-matrix.ts';

/** Bytes of a fragment, not compressed. */
const FRAGMENT_SIZE = 2_000_000;

export const vectorsEach = (dimensions: number) => Math.max(1, Math.floor(FRAGMENT_SIZE / dimensions));

/** @param vectors all of the length `dimensions` */
export function encodeVectors(vectors: readonly Float32Array[], dimensions: number): Uint8Array<ArrayBuffer> {
  const matrix = createVectorMatrix(dimensions);
  for (const [row, vector] of vectors.entries()) matrix.set(row, vector);
  const { bytes, scales } = matrix.view();
  const size = vectors.length * dimensions;
  const written = new Uint8Array(size + vectors.length * 4);
  written.set(bytes.subarray(0, size));
  const view = new DataView(written.buffer, size);
  for (const row of vectors.keys()) view.setFloat32(row * 4, scales[row]!, true);
  return written;
}

export function decodeVectors(bytes: Uint8Array<ArrayBuffer>, dimensions: number): readonly Float32Array[] {
  const rows = bytes.length / (dimensions + 4);
  const scales = new DataView(bytes.buffer, bytes.byteOffset + rows * dimensions);
  return Array.from({ length: rows }, (_, row) => {
    const scale = scales.getFloat32(row * 4, true);
    return Float32Array.from(
      bytes.subarray(row * dimensions, (row + 1) * dimensions),
      (byte) => (byte - ZERO_POINT) * scale,
    );
  });
}
