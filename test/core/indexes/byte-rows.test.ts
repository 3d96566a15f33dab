import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import openWabt from 'wabt';
import { CODE, createPlainRows, createWasmRows } from '../../../src/core/indexes/byte-rows.ts';
import { packVector } from '../../../src/core/indexes/packed-vector.ts';
import { createVectorMatrix } from '../../../src/core/indexes/vector-matrix.ts';

const FOLDER = new URL('../../../src/core/indexes/', import.meta.url);

/** Numbers of 11 bits and a sign: their products with 48 bytes have fewer than 31 bits. */
const number = fc.integer({ min: -2047, max: 2047 });

describe.each([
  { kind: 'WebAssembly', create: createWasmRows },
  { kind: 'a plain loop', create: createPlainRows },
])('rows by $kind', ({ create }) => {
  test('give the sums of byte · number, whatever stood there before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 48 }).chain((width) =>
          fc.tuple(
            fc.array(fc.uint8Array({ minLength: width, maxLength: width }), { maxLength: 30 }),
            fc.array(fc.array(number, { minLength: width, maxLength: width }), {
              minLength: 1,
              maxLength: 3,
            }),
            fc.constant(width),
          ),
        ),
        ([rows, queries, width]) => {
          const matrix = create(width);
          for (const [row, bytes] of rows.entries()) {
            matrix.reserve(row + 1);
            matrix.bytes.set(bytes, row * width);
          }
          for (const query of queries) {
            const sums = matrix.products(Int16Array.from(query), rows.length);
            expect(Array.from(sums)).toEqual(
              rows.map((bytes) => query.reduce((sum, each, i) => sum + each * bytes[i]!, 0)),
            );
          }
        },
      ),
    );
  });

  test('keep their bytes when they grow past a page of memory, and between products', () => {
    const matrix = create(384);
    const query = new Int16Array(384).fill(2047);
    for (let row = 0; row < 2_000; row += 1) {
      matrix.reserve(row + 1);
      matrix.bytes.fill(row % 251, row * 384, (row + 1) * 384);
      if (row % 400 === 0) expect(matrix.products(query, row + 1)[row]).toBe((row % 251) * 384 * 2047);
    }
    expect(Array.from(matrix.products(query, 2_000))).toEqual(
      Array.from({ length: 2_000 }, (_, row) => (row % 251) * 384 * 2047),
    );
  });
});

test('the code is the translated text of byte-rows.wat', async () => {
  const { parseWat } = await openWabt();
  const { buffer } = parseWat('byte-rows.wat', readFileSync(new URL('byte-rows.wat', FOLDER), 'utf8'), {
    simd: true,
  }).toBinary({});
  expect(CODE).toBe(Buffer.from(buffer).toString('base64'));
});

/** Scores of 1500 vectors, added one by one. */
function scan(): Float32Array {
  const matrix = createVectorMatrix(40);
  for (let row = 0; row < 1500; row += 1)
    matrix.set(row, packVector(Float32Array.from({ length: 40 }, (_, i) => Math.sin(row + i * i))));
  return matrix.scan(Float32Array.from({ length: 40 }, (_, i) => Math.cos(i)));
}

test('without WebAssembly, and when its memory cannot grow, a scan gives the same numbers', () => {
  const scores = scan();
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: new (size: object) => object } };
  let refused = 0;
  class Full extends WebAssembly.Memory {
    grow(): void {
      refused += 1;
      throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded');
    }
  }
  vi.stubGlobal('WebAssembly', Object.assign(Object.create(WebAssembly), { Memory: Full }));
  expect(scan()).toEqual(scores);
  expect(refused).toBe(1);
  vi.stubGlobal('WebAssembly', undefined);
  expect(() => createWasmRows(40)).toThrow();
  expect(scan()).toEqual(scores);
  vi.unstubAllGlobals();
});
