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

interface Numbers {
  readonly length: number;
  fill(value: number): unknown;
}

/** Starts empty; of another length than the last one taken, none is kept. */
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
