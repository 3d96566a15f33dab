/** Arrays of numbers: enlarged by copying, or used again by later searches. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** A copy for at least `size` numbers; it is at least twice as long, so that adding n numbers copies O(n) in all. */
export function enlarged<T extends Numbers>(array: T, size: number): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(size, array.length * 2));
  larger.set(array);
  return larger;
}

/**
 * Arrays of a number for every unit, used again by later searches: new ones of this size for each search made V8
 * collect the whole heap every twenty searches of 70,000 passages.
 */
export interface ArrayPool<T> {
  /** An array of zeros. */
  take(length: number): T;
  /** Gives an array back; its numbers are lost. */
  give(array: T): void;
}

/** Starts empty; keeps only arrays of the length that was taken last. */
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

/** Arrays kept: enough for three searches at a time. */
const MOST = 8;
