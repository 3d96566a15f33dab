/**
 * The vectors of all chunks in 12 bits a component, and the scan in plain TypeScript. The upper 8 bits make the rows that scans read
 * without a copy. The lower 4 bits are used for the best rows only.
 */
import type { VectorMatrix, VectorScan } from '../ports.ts';
import { enlarged } from './arrays.ts';
import { bestRows } from './select.ts';

/** The byte that encodes 0. */
export const ZERO_POINT = 128;
const ROW_LIMIT = 127;

/** The lower 4 bits divide a step of the upper 8 into this many. */
const STEPS = 16;

/** The 12-bit number that encodes 0: in the middle of the step that encodes 0 in 8 bits. */
const ZERO = ZERO_POINT * STEPS + STEPS / 2;

/** Seven bits, not eight: CPUs without VNNI add two 8-bit products in 16 bits, which would overflow. */
const QUERY_LIMIT = 63;

const FIRST_ROWS = 1024;

export function createVectorMatrix(dimensions: number) {
  let bytes = new Uint8Array(FIRST_ROWS * dimensions);
  /** The lower bits, two components a byte. */
  const lowWidth = Math.ceil(dimensions / 2);
  let lows = new Uint8Array(FIRST_ROWS * lowWidth);
  let scales = new Float32Array(FIRST_ROWS);
  let mask = new Float32Array(FIRST_ROWS).fill(Number.NEGATIVE_INFINITY);
  let rows = 0;
  let live = 0;

  function reserve(wanted: number): void {
    const before = mask.length;
    if (wanted <= before) return;
    bytes = enlarged(bytes, wanted * dimensions);
    lows = enlarged(lows, wanted * lowWidth);
    scales = enlarged(scales, wanted);
    mask = enlarged(mask, wanted).fill(Number.NEGATIVE_INFINITY, before);
  }

  const levels = new Int16Array(2 * lowWidth);

  /** Returns the 12-bit numbers of a row in an array that the next call reuses; an odd length has one number more, without a meaning. */
  function levelsOf(slot: number): Int16Array {
    let at = slot * dimensions;
    let low = slot * lowWidth;
    for (let place = 0; place < dimensions; place += 2, at += 2, low += 1) {
      const two = lows[low]!;
      levels[place] = bytes[at]! * STEPS + (two % STEPS) - ZERO;
      levels[place + 1] = bytes[at + 1]! * STEPS + (two >> 4) - ZERO;
    }
    return levels;
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
      const inverse = scale === 0 ? 0 : STEPS / scale;
      lows.fill(0, slot * lowWidth, (slot + 1) * lowWidth);
      for (let i = 0; i < dimensions; i += 1) {
        // The integer operators drop the fraction, so adding 0.5 rounds to the nearest integer.
        const value = vector[i]! * inverse + (ZERO + 0.5);
        bytes[slot * dimensions + i] = value >> 4;
        lows[slot * lowWidth + (i >> 1)]! |= (value & (STEPS - 1)) << ((i & 1) * 4);
      }
      scales[slot] = scale;
      mask[slot] = 0;
    },
    clear(slot: number): void {
      if (mask[slot] !== 0) return;
      live -= 1;
      mask[slot] = Number.NEGATIVE_INFINITY;
    },
    /** Returns the vector of a slot, to within 1/4064 of its largest component; undefined without one. */
    vector(slot: number): Float32Array | undefined {
      if (mask[slot] !== 0) return undefined;
      const scale = scales[slot]! / STEPS;
      const row = levelsOf(slot);
      const vector = new Float32Array(dimensions);
      for (let place = 0; place < dimensions; place += 1) vector[place] = row[place]! * scale;
      return vector;
    },
    /** Returns the product of the vector of a slot with a query; 0 without a vector. */
    product(slot: number, query: Float32Array): number {
      if (mask[slot] !== 0) return 0;
      const row = levelsOf(slot);
      let sum = 0;
      for (let place = 0; place < dimensions; place += 1) sum += row[place]! * query[place]!;
      return (sum * scales[slot]!) / STEPS;
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
