/** The Reranker port on ONNX Runtime: a cross-encoder in worker threads, so that a search does not stop other work. */
import { availableParallelism } from 'node:os';
import type { DocfuseError, ErrorCode } from '../../core/errors.ts';
import type { Reranker } from '../../core/ports.ts';
import { pairText, REMEDY } from './cross-encoder.ts';
import { findModelFiles } from './model-files.ts';
import { createWorkerPool, stopped, type WorkerPool } from './worker-pool.ts';

export interface OnnxRerankerOptions {
  /** Folder of the model: `tokenizer.json`, `model_quantized.onnx` or `model.onnx`, `config.json`. */
  readonly folder: string;
  /** Name that the user gave, for error messages. @default the folder */
  readonly name?: string;
}

/** Max threads: ten passages are few, and each thread has the model in memory. */
const MAX_THREADS = 2;

/** Errors that a user can fix while the process runs. The threads are closed only after these errors. */
const MENDABLE: ReadonlySet<ErrorCode> = new Set(['model_missing', 'model_invalid', 'runtime_missing']);

/** Makes a reranker that opens the model at the first `score`. It computes the relevance as `openCrossEncoder` describes. */
export function createOnnxReranker({ folder, name = folder }: OnnxRerankerOptions): Reranker {
  let opening: Promise<WorkerPool> | undefined;

  async function openPool(): Promise<WorkerPool> {
    const files = await findModelFiles(folder, { kind: 'reranking', name, remedy: REMEDY });
    return createWorkerPool({ kind: 'reranking', files }, Math.min(MAX_THREADS, availableParallelism()));
  }

  async function close(): Promise<void> {
    const pool = await opening?.catch(() => undefined);
    opening = undefined;
    await pool?.close();
  }

  return {
    async score(query, passages, signal) {
      if (signal?.aborted) throw stopped('Reranking was stopped.', signal.reason);
      if (passages.length === 0) return [];
      opening ??= openPool();
      try {
        const pool = await opening;
        const pairs = passages.map((passage) => pairText(query, passage));
        const vectors = await pool.embed(pairs, signal);
        return vectors.map(([relevance]) => relevance!);
      } catch (error) {
        // Open the model again at the next call: the user may add missing files without a restart.
        if (MENDABLE.has((error as DocfuseError).code)) await close();
        throw error;
      }
    },
    close,
  };
}
