import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFineVectors } from '../../../src/core/indexes/fine-vectors.ts';

/** Numbers too small for a 32-bit float to divide by 127 are no components of a vector with a length. */
const component = fc.float({ min: -2, max: 2, noNaN: true }).map((x) => (Math.abs(x) < 1e-30 ? 0 : x));
const vectorOf = fc.array(component, { minLength: 1, maxLength: 7 }).map((list) => Float32Array.from(list));

const largest = (vector: Float32Array) => Math.max(...vector.map(Math.abs));

test('a component is given back to within 1/2032 of the largest one, and most to within half of that', () => {
  fc.assert(
    fc.property(vectorOf, vectorOf, (vector, former) => {
      const vectors = createFineVectors(vector.length);
      if (former.length === vector.length) vectors.set(3, former);
      vectors.set(3, vector);
      const given = vectors.vector(3)!;
      for (const [place, x] of vector.entries())
        expect(Math.abs(given[place]! - x)).toBeLessThanOrEqual((largest(vector) / 127 / 16) * 1.001);
    }),
  );
  const vector = Float32Array.from({ length: 3000 }, (_, place) => Math.sin(place));
  const vectors = createFineVectors(3000);
  vectors.set(0, vector);
  const errors = vectors.vector(0)!.map((x, place) => Math.abs(x - vector[place]!) * 127 * 16);
  expect(errors.filter((error) => error > 0.501).length).toBeLessThan(3000 / 16);
});

test('the product with a query is that of the rounded vector', () => {
  fc.assert(
    fc.property(vectorOf, (vector) => {
      const vectors = createFineVectors(vector.length);
      for (const slot of [2, 1]) vectors.set(slot, vector);
      const query = vector.map((_, place) => (place % 3) - 0.5);
      const expected = vectors.vector(1)!.reduce((sum, x, place) => sum + x * query[place]!, 0);
      expect(vectors.productsWith(query)(1)).toBeCloseTo(expected, 5);
    }),
  );
});

test('a vector replaces the former one of its slot, and growing keeps all', () => {
  const vectors = createFineVectors(2);
  vectors.set(0, Float32Array.of(1, 0.3));
  vectors.set(0, Float32Array.of(1, 0.7));
  vectors.set(5000, Float32Array.of(-0.2, 1));
  expect([...vectors.vector(0)!, ...vectors.vector(5000)!]).toEqual([
    ...[expect.closeTo(1, 3), expect.closeTo(0.7, 3)],
    ...[expect.closeTo(-0.2, 3), expect.closeTo(1, 3)],
  ]);
  expect(vectors.live).toBe(2);
});

test('a slot without a vector, or whose vector was removed, has none and scores 0', () => {
  const vectors = createFineVectors(2);
  vectors.set(1, Float32Array.of(1, 0));
  vectors.set(2, new Float32Array(2));
  vectors.clear(1);
  const query = Float32Array.of(1, 1);
  expect([0, 1, 2, 99].map(vectors.productsWith(query))).toEqual([0, 0, expect.closeTo(0, 12), 0]);
  expect([0, 1, 2, 99].map(vectors.vector)).toEqual([undefined, undefined, new Float32Array(2), undefined]);
});
