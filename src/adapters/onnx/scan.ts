/** The VectorScan port on ONNX Runtime: a small graph that reads the matrix in place (models/vector-scan). */
import { fileURLToPath } from 'node:url';
import { quantizeQuery } from '../../core/indexes/vector-matrix.ts';
import type { VectorScan } from '../../core/ports.ts';
import { loadRuntime, openSession, usualThreads } from './runtime.ts';

export interface OnnxScanOptions {
  /** Threads of one scan, 1 or more. @default one per core, at most 4 */
  readonly threads?: number;
}

const GRAPH = fileURLToPath(new URL('../../../models/vector-scan/scan.onnx', import.meta.url));

/**
 * Opens the graph. A scan blocks the calling thread: about 3 ms for 100,000 rows of 384 dimensions on one core.
 * @throws DocfuseError `runtime_missing`, `model_invalid`
 */
export async function createOnnxScan(options: OnnxScanOptions = {}): Promise<VectorScan> {
  const runtime = await loadRuntime();
  const session = await openSession(runtime, GRAPH, options.threads ?? usualThreads());
  const { Tensor } = runtime;
  return {
    async scan({ dimensions, rows, bytes, scales, mask }, query, k) {
      if (rows === 0) return { rows: new Int32Array(0), scores: new Float32Array(0) };
      const { values, scale } = quantizeQuery(query);
      const wanted = Math.max(0, Math.min(k, rows));
      // Tensors share the memory of the subarrays, so nothing is copied.
      const found = await session.run({
        rows: new Tensor('uint8', bytes.subarray(0, rows * dimensions), [rows, dimensions]),
        query: new Tensor('int8', values, [dimensions, 1]),
        scales: new Tensor('float32', scales.subarray(0, rows), [rows]),
        query_scale: new Tensor('float32', Float32Array.of(scale), []),
        mask: new Tensor('float32', mask.subarray(0, rows), [rows]),
        k: new Tensor('int64', BigInt64Array.of(BigInt(wanted)), [1]),
      });
      const scores = found.scores!.data as Float32Array;
      const best = found.best!.data as Int32Array;
      // Masked rows have the score -Infinity, so they come last. They are cut off.
      const masked = best.findIndex((row) => scores[row] === Number.NEGATIVE_INFINITY);
      return { rows: masked < 0 ? best : best.slice(0, masked), scores };
    },
    close: () => session.release(),
  };
}
