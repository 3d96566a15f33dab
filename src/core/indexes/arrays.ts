/** Enlarges and adds up arrays of numbers, and reuses them in later searches. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/**
 * Copies an array into a new array for at least `size` numbers. The new array is at least `factor` times as long, so adding n
 * numbers one by one copies O(n) numbers in total.
 * @param factor @default 2
 */
export function enlarged<T extends Numbers>(array: T, size: number, factor = 2): T {
  const length = Math.max(size, Math.ceil(array.length * factor));
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

/** Returns where each part begins if parts of these lengths follow one another, and where the last part ends. */
export function runningSum(lengths: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = starts[i]! + lengths[i]!;
  return starts;
}

/**
 * Starts an empty pool of arrays that searches take and give back. An array has one number per unit. With new arrays for every
 * search over 70,000 passages, V8 collected garbage in the whole heap every twenty searches. The pool keeps only arrays of the
 * length that was taken last.
 */
export function createArrayPool<T extends Numbers>(make: (length: number) => T) {
  const free: T[] = [];
  let current = 0;
  return {
    /** Returns an array of zeros. */
    take(length: number): T {
      if (length !== current) free.length = 0;
      current = length;
      const array = free.pop();
      array?.fill(0);
      return array ?? make(length);
    },
    /** Returns an array to the pool; its numbers are lost. */
    give(array: T): void {
      if (array.length === current && free.length < MAX_FREE) free.push(array);
    },
  };
}

/** Maximum number of arrays kept: enough for three searches at a time. */
const MAX_FREE = 8;
