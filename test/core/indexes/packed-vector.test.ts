import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packRow, packVector, partsOf, unpackVector } from '../../../src/core/indexes/packed-vector.ts';

const vectors = fc.float32Array({ min: -2, max: 2, noNaN: true, maxLength: 9 });
const largest = (vector: Float32Array) => Math.max(0, ...vector.map(Math.abs));

test('a vector comes back to within 1/4064 of its largest number, which itself is exact', () => {
  fc.assert(
    fc.property(vectors, (vector) => {
      const back = unpackVector(packVector(vector));
      expect(back).toHaveLength(vector.length);
      for (const [place, number] of vector.entries())
        expect(Math.abs(back[place]! - number)).toBeLessThanOrEqual((largest(vector) / 4064) * 1.0001);
      expect(largest(back)).toBe(largest(vector));
    }),
  );
});

test('packing what was unpacked gives the same bytes', () => {
  fc.assert(
    fc.property(vectors, (vector) => {
      const packed = packVector(vector);
      expect(packVector(unpackVector(packed))).toEqual(packed);
    }),
  );
});

test('a packed vector is the same in the middle of a larger array, and of its parts', () => {
  const packed = packVector(Float32Array.of(0.25, -1, 0.3));
  const array = new Uint8Array(packed.length + 5);
  array.set(packed, 3);
  const inside = array.subarray(3, 3 + packed.length);
  expect(unpackVector(inside)).toEqual(unpackVector(packed));
  const parts = partsOf(inside);
  expect(packRow(parts.upper, parts.lower, parts.largest)).toEqual(packed);
});

test('without its lower bits, a vector is off by at most .54 steps of the upper ones', () => {
  fc.assert(
    fc.property(vectors, (vector) => {
      const { upper, largest: size } = partsOf(packVector(vector));
      const rough = unpackVector(packRow(upper, undefined, size));
      for (const [place, number] of vector.entries())
        expect(Math.abs(rough[place]! - number)).toBeLessThanOrEqual((size / 127) * 0.54);
    }),
  );
});

test('a vector with a number that is not finite is refused', () => {
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect(() => packVector(Float32Array.of(0, wrong))).toThrow('not finite');
});
