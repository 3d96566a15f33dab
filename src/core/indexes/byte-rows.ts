/** Rows of bytes, which are multiplied with a query: by SIMD instructions of WebAssembly, or by a plain loop. */
import { lazyConstant } from '../text/lazy-constant.ts';
import { enlarged } from './arrays.ts';

export interface ByteRows {
  /** All rows, one after the other. Another array after `reserve`. */
  readonly bytes: Uint8Array;
  /** Makes space for at least this many rows. The bytes of new rows can be anything. */
  reserve(rows: number): void;
  /**
   * Returns Σ byte · number for each of the first rows, which must be reserved. Valid until the next call.
   * @param query as many numbers as a row has bytes. Sums of more than 31 bits overflow
   */
  products(query: Int16Array, rows: number): Int32Array;
}

/**
 * Makes rows by WebAssembly. Where this fails, they move to a plain loop, which takes 20 times as long: WebAssembly may be missing or
 * forbidden, its memory holds at most 4 GB, and it needs 10 GB of addresses.
 * @param width number of bytes of a row, 1 or more
 */
export function createByteRows(width: number): ByteRows {
  let rows: ByteRows;
  try {
    rows = createWasmRows(width);
  } catch {
    rows = createPlainRows(width);
  }
  return {
    get bytes() {
      return rows.bytes;
    },
    reserve(wanted) {
      try {
        rows.reserve(wanted);
      } catch {
        const plain = createPlainRows(width);
        plain.reserve(wanted);
        plain.bytes.set(rows.bytes);
        rows = plain;
      }
    },
    products: (query, count) => rows.products(query, count),
  };
}

/** The part of WebAssembly that is used here. TypeScript declares it only in its library for browsers, which core does not use. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    readonly initial: number;
  }) => {
    /** Another one after `grow`. */
    readonly buffer: ArrayBuffer;
    grow(pages: number): void;
  };
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: { multiply: Multiply } };
};

type Multiply = (
  row: number,
  width: number,
  query: number,
  sums: number,
  end: number,
  stride: number,
) => void;

/** Bytes of a page of WebAssembly memory. */
const PAGE = 65_536;

/** The module reads this many bytes of a row, and as many numbers of a query, at a time. */
const BLOCK = 16;

/** Max number of places that rows are read from in turn (byte-rows.wat). 32 are slower: docs/decisions/0126-rows-in-places.md. */
const MAX_PLACES = 8;

/** byte-rows.wat, translated, in base 64. */
export const CODE =
  'AGFzbQEAAAABCgFgBn9/f39/fwACEAEEcm93cwZtZW1vcnkCAAEDAgEABwwBCG11bHRpcGx5AAAK1wEB1AEDAn8CewZ/IAUgAWwhDSAFQQRsIQ4gAyAOaiEPA0' +
  'AgACEMIAMhCwNAIAwhBiAGIAFqIQogAiEH/QwAAAAAAAAAAAAAAAAAAAAAIQkDQCAG/QAEACEIIAkgCP2JASAH/QAEAP26ASAI/YoBIAf9AAQQ/boB/a4B/a4B' +
  'IQkgB0EgaiEHIAZBEGoiBiAKSQ0ACyALIAn9GwAgCf0bAWogCf0bAiAJ/RsDamo2AgAgDCANaiEMIAsgDmoiCyAESQ0ACyAAIAFqIQAgA0EEaiIDIA9JDQALCw' +
  '==';

const compiled = lazyConstant(
  () => new WebAssembly.Module(Uint8Array.from(atob(CODE), (letter) => letter.charCodeAt(0))),
);

/**
 * The memory begins with the query. The rows follow, then the sums of all rows that there is space for.
 * @throws Error without WebAssembly, its SIMD instructions or address space, and on a big-endian processor
 */
export function createWasmRows(width: number): ByteRows {
  // The memory of WebAssembly is little-endian, and typed arrays are as the processor is.
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) throw new Error('This processor is big-endian.');
  const blocks = Math.ceil(width / BLOCK);
  const first = 2 * blocks * BLOCK;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(first / PAGE) });
  const { multiply } = new WebAssembly.Instance(compiled(), { rows: { memory } }).exports;
  let space = 0;
  let bytes = new Uint8Array(memory.buffer, first, 0);

  /** Returns where the sums begin after so many rows. A block is left between: the last row may end inside the block that is read. */
  const sumsAfter = (rows: number) => first + Math.ceil((rows * width) / BLOCK + 1) * BLOCK;

  return {
    get bytes() {
      return bytes;
    },
    reserve(rows) {
      if (rows <= space) return;
      // The memory grows in place, so a quarter more is enough to grow seldom.
      const wanted = Math.max(rows, Math.ceil(space * 1.25));
      // The loop adds up to a place to the last address, which must not overflow.
      const sums = 4 * (wanted + Math.ceil(wanted / MAX_PLACES));
      const pages = Math.ceil((sumsAfter(wanted) + sums - memory.buffer.byteLength) / PAGE);
      if (pages > 0) memory.grow(pages);
      space = wanted;
      bytes = new Uint8Array(memory.buffer, first, space * width);
    },
    products(query, rows) {
      if (rows === 0) return new Int32Array(0);
      new Int16Array(memory.buffer, 0, width).set(query);
      const sums = sumsAfter(space);
      multiply(first, width, 0, sums, sums + 4 * rows, Math.ceil(rows / MAX_PLACES));
      return new Int32Array(memory.buffer, sums, rows);
    },
  };
}

export function createPlainRows(width: number): ByteRows {
  let bytes = new Uint8Array(0);
  return {
    get bytes() {
      return bytes;
    },
    reserve(rows) {
      if (rows * width > bytes.length) bytes = enlarged(bytes, rows * width);
    },
    products(query, rows) {
      const sums = new Int32Array(rows);
      for (let row = 0, at = 0; row < rows; row += 1) {
        let sum = 0;
        for (let i = 0; i < width; i += 1, at += 1) sum += bytes[at]! * query[i]!;
        sums[row] = sum;
      }
      return sums;
    },
  };
}
