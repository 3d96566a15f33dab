/** Arrays of numbers: enlarged by copying, or reused by later searches. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/**
 * Copies an array into one for at least `size` numbers. The copy is at least twice as long, so adding n numbers copies
 * O(n) in all.
 */
export function enlarged<T extends Numbers>(array: T, size: number): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(size, array.length * 2));
  larger.set(array);
  return larger;
}

/**
 * Reuses arrays between searches; an array holds one number per unit. With new arrays for every search over 70,000
 * passages, V8 collected the whole heap every twenty searches.
 */
export interface ArrayPool<T> {
  /** An array of zeros. */
  take(length: number): T;
  /** Returns an array to the pool; its numbers are lost. */
  give(array: T): void;
}

/** Starts an empty pool. Keeps only arrays of the length that was taken last. */
export function createArrayPool<T extends Numbers>(make: (length: number) => T): ArrayPool<T> {
  const free: T[] = [];
  let current = 0;
  return {
    take(length) {
      if (length !== current) free.length = 0;
      current = length;
      const array = free.pop();
      array?.fill(0);
      return array ?? make(length);
    },
    give(array) {
      if (array.length === current && free.length < MOST) free.push(array);
    },
  };
}

/** Maximum number of arrays kept: enough for three searches at a time. */
const MOST = 8;
