import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packVector, partsOf, unpackVector } from '../../../src/core/indexes/packed-vector.ts';
import { createVectorMatrix, quantizeQuery } from '../../../src/core/indexes/vector-matrix.ts';

const number = fc.float({ min: -2, max: 2, noNaN: true });
const vectorOf = (length: number) =>
  fc.array(number, { minLength: length, maxLength: length }).map((list) => Float32Array.from(list));
const vectors = fc
  .integer({ min: 1, max: 7 })
  .chain((length) => fc.tuple(vectorOf(length), vectorOf(length)));

describe('vector matrix', () => {
  test('a vector is given back as its packed form gives it, also after another one', () => {
    fc.assert(
      fc.property(vectors, ([vector, former]) => {
        const matrix = createVectorMatrix(vector.length);
        matrix.set(3, packVector(former));
        matrix.set(3, packVector(vector));
        expect(matrix.vector(3)).toEqual(unpackVector(packVector(vector)));
        expect(matrix.live).toBe(1);
      }),
    );
  });

  test('the product with a query is that of the rounded vector', () => {
    fc.assert(
      fc.property(vectors, ([vector, query]) => {
        const matrix = createVectorMatrix(vector.length);
        for (const slot of [2, 1]) matrix.set(slot, packVector(vector));
        const expected = matrix.vector(1)!.reduce((sum, x, place) => sum + x * query[place]!, 0);
        expect(matrix.productsWith(query)(1)).toBeCloseTo(expected, 5);
      }),
    );
  });

  test('rows in between and cleared rows are not live, and have no vector and no product', () => {
    const matrix = createVectorMatrix(2);
    matrix.set(1, packVector(Float32Array.of(1, 0)));
    matrix.set(3, packVector(new Float32Array(2)));
    for (const slot of [1, 1, 77]) matrix.clear(slot);
    const query = Float32Array.of(1, 1);
    expect(Array.from(matrix.scan(query))).toEqual([-Infinity, -Infinity, -Infinity, expect.closeTo(0, 12)]);
    expect(matrix.live).toBe(1);
    expect([1, 3, 4, 5000].map(matrix.has)).toEqual([false, true, false, false]);
    expect([1, 3, 5000].map(matrix.vector)).toEqual([undefined, new Float32Array(2), undefined]);
    expect([1, 3, 5000].map(matrix.productsWith(query))).toEqual([0, expect.closeTo(0, 12), 0]);
  });

  test.each([0, 3, 6000])('growing from %i rows keeps what is there and masks what is new', (space) => {
    const matrix = createVectorMatrix(2, space);
    expect(matrix.scan(Float32Array.of(1, 0))).toHaveLength(0);
    matrix.set(0, packVector(Float32Array.of(1, 0.5)));
    matrix.set(5000, packVector(Float32Array.of(0, 1)));
    const scores = matrix.scan(Float32Array.of(1, 0));
    expect(scores).toHaveLength(5001);
    expect([scores[0], scores[4999], scores[5000]]).toEqual([1, -Infinity, 0]);
    expect(matrix.vector(0)).toEqual(unpackVector(packVector(Float32Array.of(1, 0.5))));
  });

  test('a vector or a query of another length, or with a number that is not finite, is refused', () => {
    const matrix = createVectorMatrix(3);
    const [length, finite] = ['of length 2; the index has vectors of length 3', 'not finite'];
    expect(() => matrix.set(0, packVector(new Float32Array(2)))).toThrow(length);
    expect(() => matrix.scan(new Float32Array(2))).toThrow(length);
    expect(() => matrix.scan(Float32Array.of(0, Number.NaN, 1))).toThrow(finite);
  });

  test('a query is rounded to 12 bits', () => {
    const { values, scale } = quantizeQuery(Float32Array.of(0.5, -0.25, 0));
    expect(Array.from(values)).toEqual([2047, -1023, 0]);
    expect(values[0]! * scale).toBeCloseTo(0.5, 6);
    expect(quantizeQuery(new Float32Array(2)).scale).toBe(0);
  });

  test('a scan gives products as a plain loop over the rounded numbers does', () => {
    const rows = fc.array(fc.tuple(fc.nat(30), vectorOf(6)), { maxLength: 25 });
    fc.assert(
      fc.property(rows, fc.array(fc.nat(30)), vectorOf(6), (given, gone, query) => {
        const matrix = createVectorMatrix(6);
        for (const [slot, vector] of given) matrix.set(slot, packVector(vector));
        for (const slot of gone) matrix.clear(slot);
        const { values, scale } = quantizeQuery(query);
        const last = new Map(given);
        const expected = Array.from(
          { length: Math.max(0, ...last.keys().map((slot) => slot + 1)) },
          (_, row) => {
            if (!matrix.has(row)) return Number.NEGATIVE_INFINITY;
            const { upper, largest } = partsOf(packVector(last.get(row)!));
            const sum = values.reduce((total, value, i) => total + (upper[i]! - 128) * value, 0);
            return Math.fround(sum * largest * (scale / 127)) + 0;
          },
        );
        expect(Array.from(matrix.scan(query), (score) => score + 0)).toEqual(expected);
      }),
    );
  });

  test('a scan is off by little more than half a step of both roundings', () => {
    fc.assert(
      fc.property(vectorOf(6), vectorOf(6), (vector, query) => {
        const matrix = createVectorMatrix(6);
        matrix.set(0, packVector(vector));
        const exact = vector.reduce((sum, x, i) => sum + x * query[i]!, 0);
        const [largest, asked] = [vector, query].map((each) => Math.max(...each.map(Math.abs)));
        expect(Math.abs(matrix.scan(query)[0]! - exact)).toBeLessThanOrEqual(
          largest! * asked! * 6 * (0.54 / 127 + 0.51 / 2047) + 1e-30,
        );
      }),
    );
  });

  test('no sum overflows, however many dimensions there are', () => {
    for (const dimensions of [512, 4113, 16_384]) {
      const matrix = createVectorMatrix(dimensions);
      matrix.set(0, packVector(new Float32Array(dimensions).fill(1)));
      matrix.set(1, packVector(new Float32Array(dimensions).fill(-1)));
      const [same, opposite] = matrix.scan(new Float32Array(dimensions).fill(1));
      expect(same! / dimensions).toBeCloseTo(1, 5);
      expect(opposite! / dimensions).toBeCloseTo(-1, 5);
    }
  });
});
