/** The vectors of all chunks as 8-bit rows, in the layout that scans read without a copy, and the scan in plain TypeScript. */
import type { VectorMatrix, VectorScan } from '../ports.ts';
import { enlarged } from './arrays.ts';
import { bestRows } from './select.ts';

/** The byte that encodes 0. */
export const ZERO_POINT = 128;
const ROW_LIMIT = 127;

/** Seven bits, not eight: CPUs without VNNI add two 8-bit products in 16 bits, which would overflow. */
const QUERY_LIMIT = 63;

const FIRST_ROWS = 1024;

export function createVectorMatrix(dimensions: number) {
  let bytes = new Uint8Array(FIRST_ROWS * dimensions);
  let scales = new Float32Array(FIRST_ROWS);
  let mask = new Float32Array(FIRST_ROWS).fill(Number.NEGATIVE_INFINITY);
  let rows = 0;
  let live = 0;

  function reserve(wanted: number): void {
    const before = mask.length;
    if (wanted <= before) return;
    bytes = enlarged(bytes, wanted * dimensions);
    scales = enlarged(scales, wanted);
    mask = enlarged(mask, wanted).fill(Number.NEGATIVE_INFINITY, before);
  }

  return {
    /** Number of rows with a vector. */
    get live(): number {
      return live;
    },
    has: (slot: number) => mask[slot] === 0,
    /** Writes a vector into the row of its slot. @throws RangeError if its length is not `dimensions` */
    set(slot: number, vector: Float32Array): void {
      if (vector.length !== dimensions) {
        throw new RangeError(`The vector has ${vector.length} dimensions, not ${dimensions}.`);
      }
      reserve(slot + 1);
      if (mask[slot] !== 0) live += 1;
      rows = Math.max(rows, slot + 1);
      const scale = largestComponent(vector) / ROW_LIMIT;
      const inverse = scale === 0 ? 0 : 1 / scale;
      const start = slot * dimensions;
      // Storing into a byte drops the fraction, so adding 0.5 rounds to the nearest integer.
      for (let i = 0; i < dimensions; i += 1) {
        bytes[start + i] = vector[i]! * inverse + (ZERO_POINT + 0.5);
      }
      scales[slot] = scale;
      mask[slot] = 0;
    },
    clear(slot: number): void {
      if (mask[slot] !== 0) return;
      live -= 1;
      mask[slot] = Number.NEGATIVE_INFINITY;
    },
    /** Returns the rows without a copy: valid until the next `set` or `clear`. */
    view: (): VectorMatrix => ({ dimensions, rows, bytes, scales, mask }),
  };
}

/**
 * Quantizes a query. All scans use the result, so all give the same scores.
 * @returns values from −63 to 63: a component is about `value · scale`
 */
export function quantizeQuery(query: Float32Array): { readonly values: Int8Array; readonly scale: number } {
  const scale = Math.fround(largestComponent(query) / QUERY_LIMIT);
  const inverse = scale === 0 ? 0 : 1 / scale;
  return { values: Int8Array.from(query, (component) => Math.round(component * inverse)), scale };
}

function largestComponent(vector: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i += 1) {
    const size = Math.abs(vector[i]!);
    if (size > largest) largest = size;
  }
  return largest;
}

/**
 * Makes a scan for browsers and tests, where ONNX Runtime is missing. Its scores are those of the ONNX graph, bit for bit: integer
 * sums, then the same float32 steps in the same order.
 */
export function createPlainScan(): VectorScan {
  return {
    async scan(matrix, query, k) {
      const scores = scoreRows(matrix, query);
      return { rows: bestRows(scores, k), scores };
    },
    async close() {},
  };
}

function scoreRows(
  { dimensions, rows, bytes, scales, mask }: VectorMatrix,
  query: Float32Array,
): Float32Array {
  const { values, scale } = quantizeQuery(query);
  const scores = new Float32Array(rows);
  // Σ (byte − zero) · q = Σ byte · q − zero · Σ q, where zero · Σ q is the same for every row.
  const offset = ZERO_POINT * values.reduce((sum, value) => sum + value, 0);
  for (let row = 0, at = 0; row < rows; row += 1) {
    let sum = -offset;
    for (let i = 0; i < dimensions; i += 1, at += 1) sum += bytes[at]! * values[i]!;
    scores[row] = Math.fround(Math.fround(Math.fround(sum) * scales[row]!) * scale) + mask[row]!;
  }
  return scores;
}
