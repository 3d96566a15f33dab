/** Packed vectors in rows: the scan of all rows by their upper bits, and exact products for the rows that matter. */
import { enlarged } from './arrays.ts';
import { createByteRows } from './byte-rows.ts';
import {
  checkLength,
  LOWER_BITS,
  LOWER_STEPS,
  largestNumber,
  type PackedVector,
  packRow,
  partsOf,
  UPPER_LIMIT,
  unpackVector,
  ZERO,
  ZERO_POINT,
} from './packed-vector.ts';

const FIRST_ROWS = 1024;
/** Small, because a row takes six hundred bytes. */
const GROWTH = 1.25;

/** @param space number of rows to make space for at once: growing copies all rows. @default 0 */
export function createVectorMatrix(dimensions: number, space = 0) {
  const rows = createByteRows(dimensions);
  /** Bytes of the lower bits of a row. */
  const width = Math.ceil(dimensions / 2);
  let lower = new Uint8Array(0);
  let largest = new Float32Array(0);
  /** Added to the product of a row: 0 for a row with a vector, otherwise −Infinity. */
  let mask = new Float32Array(0);
  let used = 0;
  let live = 0;

  function reserve(wanted: number): void {
    rows.reserve(wanted);
    const before = mask.length;
    if (wanted <= before) return;
    mask = enlarged(mask, Math.max(wanted, FIRST_ROWS), GROWTH).fill(Number.NEGATIVE_INFINITY, before);
    largest = enlarged(largest, mask.length, 1);
    lower = enlarged(lower, mask.length * width, 1);
  }

  const has = (slot: number) => mask[slot] === 0;
  reserve(space);

  return {
    /** Number of rows with a vector. */
    get live(): number {
      return live;
    },
    has,
    /** Writes a vector into the row of its slot. @throws DocfuseError `model_invalid` if it has not `dimensions` numbers */
    set(slot: number, packed: PackedVector): void {
      const parts = partsOf(packed);
      checkLength(parts.upper.length, dimensions);
      reserve(slot + 1);
      if (!has(slot)) live += 1;
      used = Math.max(used, slot + 1);
      rows.bytes.set(parts.upper, slot * dimensions);
      lower.set(parts.lower, slot * width);
      largest[slot] = parts.largest;
      mask[slot] = 0;
    },
    clear(slot: number): void {
      if (!has(slot)) return;
      live -= 1;
      mask[slot] = Number.NEGATIVE_INFINITY;
    },
    /** Returns the vector of a slot; undefined if it has none. */
    vector(slot: number): Float32Array | undefined {
      if (!has(slot)) return undefined;
      const upper = rows.bytes.subarray(slot * dimensions, (slot + 1) * dimensions);
      return unpackVector(packRow(upper, lower.subarray(slot * width, (slot + 1) * width), largest[slot]!));
    },
    /**
     * Returns the product of each row with a query, from the upper bits alone; −Infinity for rows without a vector.
     * @throws DocfuseError `model_invalid` if the query has not `dimensions` numbers, or one that is not finite
     */
    scan(query: Float32Array): Float32Array {
      checkLength(query.length, dimensions);
      const { values, scale } = quantizeQuery(query);
      const sums = rows.products(values, used);
      // Σ (byte − zero) · q = Σ byte · q − zero · Σ q, where zero · Σ q is the same for every row.
      const offset = ZERO_POINT * values.reduce((sum, value) => sum + value, 0);
      const step = scale / UPPER_LIMIT;
      const scores = new Float32Array(used);
      for (let row = 0; row < used; row += 1) {
        scores[row] = (sums[row]! - offset) * largest[row]! * step + mask[row]!;
      }
      return scores;
    },
    /** Makes a function that returns the product of the vector of a slot with a query; 0 without a vector. */
    productsWith(query: Float32Array): (slot: number) => number {
      // Converting the query once saves a third of the time. An odd length gets a number of 0 more.
      const numbers = new Float64Array(2 * width);
      numbers.set(query);
      const offset = ZERO * numbers.reduce((sum, number) => sum + number, 0);
      return (slot) => {
        if (!has(slot)) return 0;
        const { bytes } = rows;
        let at = slot * dimensions;
        let low = slot * width;
        let [even, odd] = [0, 0];
        for (let place = 0; place < dimensions; place += 2, at += 2, low += 1) {
          const two = lower[low]!;
          even += ((bytes[at]! << LOWER_BITS) | (two & (LOWER_STEPS - 1))) * numbers[place]!;
          odd += ((bytes[at + 1]! << LOWER_BITS) | (two >> LOWER_BITS)) * numbers[place + 1]!;
        }
        return ((even + odd - offset) * largest[slot]!) / (UPPER_LIMIT * LOWER_STEPS);
      };
    },
  };
}

/** With 12 bits, rounding the query changes a product less than the 8 bits of a row do. */
const QUERY_LIMIT = 2047;

/** Returns integers: a number is about `value · scale`. Their products with the bytes of a row add up to at most 31 bits. */
export function quantizeQuery(query: Float32Array): { readonly values: Int16Array; readonly scale: number } {
  const limit = Math.min(QUERY_LIMIT, Math.floor((2 ** 31 - 1) / (255 * query.length)));
  const scale = largestNumber(query) / limit;
  const inverse = scale === 0 ? 0 : 1 / scale;
  return { values: Int16Array.from(query, (number) => Math.round(number * inverse)), scale };
}
