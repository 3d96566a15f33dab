import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVectorMatrix, quantizeQuery } from '../../../src/core/indexes/vector-matrix.ts';

/** Numbers too small for a 32-bit float to divide by 127 are no components of a vector with a length. */
const component = fc.float({ min: -2, max: 2, noNaN: true }).map((x) => (Math.abs(x) < 1e-30 ? 0 : x));
const vectors = fc.array(component, { minLength: 6, maxLength: 6 }).map((list) => Float32Array.from(list));

describe('vector matrix', () => {
  test('a row gives its vector back to within half a step of 1/127 of its largest component', () => {
    fc.assert(
      fc.property(vectors, (vector) => {
        const matrix = createVectorMatrix(6);
        matrix.set(3, vector);
        const { bytes, scales } = matrix.view();
        const step = Math.max(...vector.map(Math.abs)) / 127;
        vector.forEach((x, i) => {
          expect(Math.abs((bytes[18 + i]! - 128) * scales[3]! - x)).toBeLessThanOrEqual(step * 0.501);
        });
      }),
    );
  });

  test('a vector of zeros is a live row of zeros', () => {
    const matrix = createVectorMatrix(2);
    matrix.set(0, new Float32Array(2));
    expect(matrix.view().bytes.slice(0, 2)).toEqual(Uint8Array.of(128, 128));
    expect(matrix.has(0)).toBe(true);
  });

  test('rows in between and cleared rows are masked, and counted as not live', () => {
    const matrix = createVectorMatrix(1);
    matrix.set(1, Float32Array.of(1));
    matrix.set(3, Float32Array.of(1));
    matrix.clear(1);
    matrix.clear(1);
    matrix.clear(77);
    const { rows, mask } = matrix.view();
    expect(rows).toBe(4);
    expect(Array.from(mask.subarray(0, rows))).toEqual([-Infinity, -Infinity, -Infinity, 0]);
    expect(matrix.live).toBe(1);
    expect([1, 3, 4, 5000].map(matrix.has)).toEqual([false, true, false, false]);
  });

  test('setting a slot again replaces its vector', () => {
    const matrix = createVectorMatrix(1);
    matrix.set(0, Float32Array.of(1));
    matrix.set(0, Float32Array.of(-0.5));
    const { bytes, scales } = matrix.view();
    expect((bytes[0]! - 128) * scales[0]!).toBeCloseTo(-0.5, 6);
    expect(matrix.live).toBe(1);
  });

  test('growing keeps what is there and masks what is new', () => {
    const matrix = createVectorMatrix(2);
    matrix.set(0, Float32Array.of(1, 0));
    matrix.set(5000, Float32Array.of(0, 1));
    const { bytes, mask, rows } = matrix.view();
    expect(rows).toBe(5001);
    expect(bytes.slice(0, 2)).toEqual(Uint8Array.of(255, 128));
    expect(mask[0]).toBe(0);
    expect(mask[4999]).toBe(-Infinity);
  });

  test('a vector of another length is refused', () => {
    expect(() => createVectorMatrix(3).set(0, new Float32Array(2))).toThrow(RangeError);
  });

  test('a query is quantised to 7 bits', () => {
    const { values, scale } = quantizeQuery(Float32Array.of(0.5, -0.25, 0));
    expect(Array.from(values)).toEqual([63, -31, 0]);
    expect(values[0]! * scale).toBeCloseTo(0.5, 6);
    expect(quantizeQuery(new Float32Array(2)).scale).toBe(0);
  });
});
