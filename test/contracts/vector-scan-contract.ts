/** What every scan of the vector matrix must do; each implementation's test runs this suite. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVectorMatrix, quantizeQuery } from '../../src/core/indexes/vector-matrix.ts';
import type { VectorMatrix, VectorScan } from '../../src/core/ports.ts';

/** Runs the suite; `make` opens one scan for all of it. */
export function vectorScanContract(name: string, make: () => Promise<VectorScan>): void {
  const component = fc.float({ min: -1, max: 1, noNaN: true });
  const vectorOf = (dimensions: number) =>
    fc
      .array(component, { minLength: dimensions, maxLength: dimensions })
      .map((list) => Float32Array.from(list));
  /** A matrix with absent and cleared rows, a query, and k from 0 to more than there are rows. */
  const scene = fc.integer({ min: 1, max: 40 }).chain((dimensions) =>
    fc.record({
      matrix: fc
        .tuple(fc.array(fc.tuple(fc.nat(30), vectorOf(dimensions)), { maxLength: 25 }), fc.array(fc.nat(30)))
        .map(([rows, gone]) => fill(dimensions, rows, gone)),
      query: vectorOf(dimensions),
      k: fc.nat(35),
    }),
  );

  describe(`${name} keeps the contract of scans:`, () => {
    let scan: VectorScan;
    beforeAll(async () => {
      scan = await make();
    });
    afterAll(() => scan.close());

    test('scores equal a plain loop over the quantised values', () =>
      fc.assert(
        fc.asyncProperty(scene, async ({ matrix, query, k }) => {
          const { scores } = await scan.scan(matrix, query, k);
          expect(Array.from(scores)).toEqual(plainScores(matrix, query));
        }),
      ));

    test('rows are the best k that are not masked, equal scores by row', () =>
      fc.assert(
        fc.asyncProperty(scene, async ({ matrix, query, k }) => {
          const { rows } = await scan.scan(matrix, query, k);
          const scores = plainScores(matrix, query);
          const live = scores.map((_, row) => row).filter((row) => scores[row] !== Number.NEGATIVE_INFINITY);
          const best = live.sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, k);
          expect(Array.from(rows)).toEqual(best);
        }),
      ));

    test('scans asked for at once give what each gives alone, however many rows each wants', () =>
      fc.assert(
        fc.asyncProperty(scene, fc.array(fc.nat(35), { maxLength: 9 }), async ({ matrix, query }, wanted) => {
          const asked = wanted.map((k, turn) => ({ k, query: query.map((part) => part * (turn - 4)) }));
          const together = await Promise.all(asked.map((each) => scan.scan(matrix, each.query, each.k)));
          for (const [index, { k, query }] of asked.entries())
            expect(together[index]).toEqual(await scan.scan(matrix, query, k));
        }),
      ));

    test('384 dimensions and more rows than the matrix began with', async () => {
      const matrix = createVectorMatrix(384);
      for (let slot = 0; slot < 1500; slot += 1) matrix.set(slot, wave(384, slot));
      const { rows, scores } = await scan.scan(matrix.view(), wave(384, 1234), 5);
      expect(rows[0]).toBe(1234);
      expect(scores).toHaveLength(1500);
      expect(Math.abs(scores[1234]! - 1)).toBeLessThan(0.02);
    });

    test('extreme components do not saturate', async () => {
      const matrix = createVectorMatrix(512);
      matrix.set(0, new Float32Array(512).fill(1));
      matrix.set(1, new Float32Array(512).fill(-1));
      const { scores } = await scan.scan(matrix.view(), new Float32Array(512).fill(1), 1);
      expect(scores[0]).toBeCloseTo(512, 3);
      expect(scores[1]).toBeCloseTo(-512, 3);
    });

    test('equal rows come in row order, however many there are', async () => {
      const matrix = createVectorMatrix(8);
      for (let slot = 0; slot < 300; slot += 1) matrix.set(slot, wave(8, slot % 3));
      const { rows } = await scan.scan(matrix.view(), wave(8, 1), 50);
      expect(Array.from(rows)).toEqual(Array.from({ length: 50 }, (_, i) => 3 * i + 1));
    });

    test('an empty matrix and one with nothing but masked rows give no rows', async () => {
      const matrix = createVectorMatrix(4);
      expect(await scan.scan(matrix.view(), wave(4, 0), 3)).toEqual({
        rows: new Int32Array(0),
        scores: new Float32Array(0),
      });
      matrix.set(2, wave(4, 0));
      matrix.clear(2);
      expect((await scan.scan(matrix.view(), wave(4, 0), 3)).rows).toHaveLength(0);
    });
  });
}

function fill(
  dimensions: number,
  rows: readonly (readonly [number, Float32Array])[],
  gone: readonly number[],
): VectorMatrix {
  const matrix = createVectorMatrix(dimensions);
  for (const [slot, vector] of rows) matrix.set(slot, vector);
  for (const slot of gone) matrix.clear(slot);
  return matrix.view();
}

/** The contract in its simplest form; each step is rounded to float32 as the graph rounds it. */
function plainScores(matrix: VectorMatrix, query: Float32Array): number[] {
  const { values, scale } = quantizeQuery(query);
  return Array.from({ length: matrix.rows }, (_, row) => {
    let sum = 0;
    for (let i = 0; i < matrix.dimensions; i += 1) {
      sum += (matrix.bytes[row * matrix.dimensions + i]! - 128) * values[i]!;
    }
    // Adding 0 turns −0 into 0, as adding the mask does.
    return Math.fround(Math.fround(sum * matrix.scales[row]!) * scale) + matrix.mask[row]! + 0;
  });
}

/** A unit vector that differs for each seed. */
function wave(dimensions: number, seed: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, i) =>
    Math.sin(1 + seed * 12.9898 + i * (seed + 1.7)),
  );
  const norm = Math.hypot(...vector);
  return vector.map((x) => x / norm);
}
