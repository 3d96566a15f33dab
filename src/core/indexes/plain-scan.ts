/** The exact scan in plain TypeScript, for browsers and tests, where ONNX Runtime is missing. */
import type { VectorMatrix, VectorScan } from '../ports.ts';
import { bestRows } from './select.ts';
import { quantizeQuery, ZERO_POINT } from './vector-matrix.ts';

/**
 * Makes a scan with the same scores as the ONNX graph, bit for bit: integer sums, then the same float32 steps in the
 * same order.
 */
export function createPlainScan(): VectorScan {
  return {
    async scan(matrix, query, k) {
      const scores = scoreRows(matrix, query);
      return { rows: bestRows(scores, k), scores };
    },
    async close() {},
  };
}

function scoreRows(
  { dimensions, rows, bytes, scales, mask }: VectorMatrix,
  query: Float32Array,
): Float32Array {
  const { values, scale } = quantizeQuery(query);
  const scores = new Float32Array(rows);
  // Σ (byte − zero) · q = Σ byte · q − zero · Σ q, where zero · Σ q is the same for every row.
  const offset = ZERO_POINT * values.reduce((sum, value) => sum + value, 0);
  for (let row = 0, at = 0; row < rows; row += 1) {
    let sum = -offset;
    for (let i = 0; i < dimensions; i += 1, at += 1) sum += bytes[at]! * values[i]!;
    scores[row] = Math.fround(Math.fround(Math.fround(sum) * scales[row]!) * scale) + mask[row]!;
  }
  return scores;
}
