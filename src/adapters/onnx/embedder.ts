/** The Embedder port on ONNX Runtime: queries one at a time, passages in worker threads. */
import { availableParallelism } from 'node:os';
import type { Embedder } from '../../core/ports.ts';
import { openModelFolder } from './model-folder.ts';
import { createQueryEncoder } from './query-encoder.ts';
import { loadRuntime } from './runtime.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

export interface OnnxEmbedderOptions {
  /** Folder of the model: `tokenizer.json`, `model_quantized.onnx` or `model.onnx`, `config.json`. */
  readonly folder: string;
  /** Name that the user gave; determines prefixes and pooling. @default the name in the model's files, else the folder's name */
  readonly name?: string;
  /** Threads for passages, 1 or more. @default one per core, as many as fit into half of the free memory */
  readonly workers?: number;
}

/** Memory of one more thread with the default model, in bytes: session, tokenizer and JavaScript heap. */
const WORKER_BYTES = 116_000_000;

/**
 * Opens the folder. Loads the model on this thread at the first query, or at once if no file gives the length of its vectors. The
 * first passages start the threads.
 * @throws DocfuseError `model_missing`, `model_invalid`, `runtime_missing`; a broken model file is only noticed at first use
 */
export async function createOnnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  // The library loads while the model file is being hashed on another thread.
  const [model] = await Promise.all([openModelFolder(options.folder, options.name), loadRuntime()]);
  const { queryPrefix, passagePrefix } = model.profile;
  const queries = createQueryEncoder(model);
  let pool: WorkerPool | undefined;

  return {
    model: model.identity,
    dimensions: model.dimensions ?? (await queries.dimensions()),
    embedQuery: (text) => queries.encodeQuery(queryPrefix + text),
    async embedPassages(texts, signal) {
      // A single text takes less time than starting a thread; the vector is the same.
      if (texts.length === 1 && pool === undefined) {
        return [await queries.encode(passagePrefix + texts[0]!, signal)];
      }
      pool ??= createWorkerPool(model, options.workers ?? defaultWorkers());
      return pool.embed(passagePrefix === '' ? texts : texts.map((text) => passagePrefix + text), signal);
    },
    async close() {
      await pool?.close();
      await queries.close();
    },
  };
}

function defaultWorkers(): number {
  const affordable = Math.floor(process.availableMemory() / 2 / WORKER_BYTES);
  return Math.max(1, Math.min(availableParallelism(), affordable));
}
