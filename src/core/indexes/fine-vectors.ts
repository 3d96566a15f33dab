/** The vectors of all chunks with 12 bits a component: the 8 bits that scans read, and 4 lower bits for the rows that matter. */
import { enlarged } from './arrays.ts';
import { createVectorMatrix, ZERO_POINT } from './vector-matrix.ts';

/** Lower bits of a component: two components share a byte. */
const LOW_BITS = 4;

/** The lower bits divide a step of the upper bits into this many. */
const STEPS = 2 ** LOW_BITS;

/** The lower bits that add nothing to the upper bits. */
const MIDDLE = STEPS / 2;

/** The 12-bit number that encodes 0. */
const ZERO = ZERO_POINT * STEPS + MIDDLE;

export function createFineVectors(dimensions: number) {
  const matrix = createVectorMatrix(dimensions);
  const width = Math.ceil(dimensions / 2);
  let lows = new Uint8Array(0);

  return {
    /** Number of vectors. */
    get live(): number {
      return matrix.live;
    },
    has: matrix.has,
    view: matrix.view,
    clear: matrix.clear,
    /** Keeps a vector under its slot. @throws RangeError if its length is not `dimensions` */
    set(slot: number, vector: Float32Array): void {
      matrix.set(slot, vector);
      const { bytes, scales, mask } = matrix.view();
      // As long as the arrays of the matrix, so that all grow together.
      if (lows.length < mask.length * width) lows = enlarged(lows, mask.length * width);
      lows.fill(0, slot * width, (slot + 1) * width);
      const inverse = scales[slot] === 0 ? 0 : 1 / scales[slot]!;
      for (let place = 0, at = slot * dimensions; place < dimensions; place += 1, at += 1) {
        const rest = vector[place]! * inverse - (bytes[at]! - ZERO_POINT);
        // `| 0` drops the fraction, so adding 0.5 rounds to the nearest integer.
        const low = Math.min((rest * STEPS + MIDDLE + 0.5) | 0, STEPS - 1);
        lows[slot * width + (place >> 1)]! |= low << ((place & 1) * LOW_BITS);
      }
    },
    /** Returns the vector of a slot, each component to within 1/2032 of the largest; undefined without one. */
    vector(slot: number): Float32Array | undefined {
      if (!matrix.has(slot)) return undefined;
      const { bytes, scales } = matrix.view();
      const [at, low, scale] = [slot * dimensions, slot * width, scales[slot]! / STEPS];
      const vector = new Float32Array(dimensions);
      for (let place = 0; place < dimensions; place += 1) {
        const lower = (lows[low + (place >> 1)]! >> ((place & 1) * LOW_BITS)) & (STEPS - 1);
        vector[place] = (bytes[at + place]! * STEPS + lower - ZERO) * scale;
      }
      return vector;
    },
    /** Makes a function that returns the product of the vector of a slot with a query; 0 without a vector. */
    productsWith(query: Float32Array): (slot: number) => number {
      // Converting the query once saves a third of the time. An odd length gets a component of 0 more.
      const numbers = new Float64Array(2 * width);
      numbers.set(query);
      const offset = ZERO * numbers.reduce((sum, number) => sum + number, 0);
      return (slot) => {
        if (!matrix.has(slot)) return 0;
        const { bytes, scales } = matrix.view();
        let at = slot * dimensions;
        let low = slot * width;
        let [even, odd] = [0, 0];
        for (let place = 0; place < dimensions; place += 2, at += 2, low += 1) {
          const two = lows[low]!;
          even += ((bytes[at]! << LOW_BITS) | (two & (STEPS - 1))) * numbers[place]!;
          odd += ((bytes[at + 1]! << LOW_BITS) | (two >> LOW_BITS)) * numbers[place + 1]!;
        }
        return ((even + odd - offset) * scales[slot]!) / STEPS;
      };
    },
  };
}
