/** The VectorScan port on ONNX Runtime: a small graph that reads the matrix in place (models/vector-scan). */
import { fileURLToPath } from 'node:url';
import { quantizeQuery } from '../../core/indexes/vector-matrix.ts';
import type { ScanResult, VectorMatrix, VectorScan } from '../../core/ports.ts';
import { createBatches } from './batches.ts';
import { loadRuntime, openSession, usualThreads } from './runtime.ts';

export interface OnnxScanOptions {
  /** Threads of one scan, 1 or more. @default one per core, at most 4 */
  readonly threads?: number;
}

interface Query {
  readonly matrix: VectorMatrix;
  readonly query: Float32Array;
  /** At most `matrix.rows`. */
  readonly k: number;
}

const GRAPH = fileURLToPath(new URL('../../../models/vector-scan/scan.onnx', import.meta.url));

/**
 * Opens the graph. A scan blocks the calling thread: about 3 ms for 100,000 rows of 384 dimensions on one core. Scans of the same
 * matrix that are asked for at once are one run, which takes little longer than one scan.
 * @throws DocfuseError `runtime_missing`, `model_invalid`
 */
export async function createOnnxScan(options: OnnxScanOptions = {}): Promise<VectorScan> {
  const runtime = await loadRuntime();
  const session = await openSession(runtime, GRAPH, options.threads ?? usualThreads());
  const { Tensor } = runtime;

  /** Scans one matrix for several queries in one run, which takes little longer than a run for one query. */
  async function scanTogether(queries: readonly Query[]): Promise<readonly ScanResult[]> {
    // Take the matrix of the last query: rows may have been added since the first query.
    const { dimensions, rows, bytes, scales, mask } = queries.at(-1)!.matrix;
    const count = queries.length;
    const depth = Math.max(...queries.map(({ k }) => k));
    const quantized = queries.map(({ query }) => quantizeQuery(query));
    const columns = new Int8Array(dimensions * count);
    for (const [column, { values }] of quantized.entries()) {
      for (let i = 0; i < dimensions; i += 1) columns[i * count + column] = values[i]!;
    }
    // Tensors share the memory of the subarrays, so nothing is copied.
    const found = await session.run({
      rows: new Tensor('uint8', bytes.subarray(0, rows * dimensions), [rows, dimensions]),
      queries: new Tensor('int8', columns, [dimensions, count]),
      scales: new Tensor('float32', scales.subarray(0, rows), [rows]),
      query_scales: new Tensor(
        'float32',
        Float32Array.from(quantized, ({ scale }) => scale),
        [count, 1],
      ),
      mask: new Tensor('float32', mask.subarray(0, rows), [rows]),
      k: new Tensor('int64', BigInt64Array.of(BigInt(depth)), [1]),
    });
    const allScores = found.scores!.data as Float32Array;
    const allBest = found.best!.data as Int32Array;
    return queries.map(({ k }, index) => {
      const scores = allScores.subarray(index * rows, (index + 1) * rows);
      const best = allBest.subarray(index * depth, index * depth + k);
      // Masked rows have the score -Infinity, so they come last. They are cut off.
      const masked = best.findIndex((row) => scores[row] === Number.NEGATIVE_INFINITY);
      return { rows: masked < 0 ? best : best.subarray(0, masked), scores };
    });
  }

  /** One function for each array of bytes in use. A matrix that outgrows its array gets a new one. */
  const scanners = new WeakMap<Uint8Array, (query: Query) => Promise<ScanResult>>();

  return {
    async scan(matrix, query, k) {
      if (matrix.rows === 0) return { rows: new Int32Array(0), scores: new Float32Array(0) };
      const scanOne = scanners.get(matrix.bytes) ?? createBatches(scanTogether);
      scanners.set(matrix.bytes, scanOne);
      return scanOne({ matrix, query, k: Math.max(0, Math.min(k, matrix.rows)) });
    },
    close: () => session.release(),
  };
}
