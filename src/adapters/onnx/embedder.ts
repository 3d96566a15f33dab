/** The Embedder port on ONNX Runtime: embeds in worker threads, but the first queries on the calling thread. */
import { availableParallelism } from 'node:os';
import type { ModelStamps } from '../../core/model/saved-state.ts';
import type { Embedder } from '../../core/ports.ts';
import { type ModelFolder, openModelFolder } from './model-folder.ts';
import { loadRuntime } from './runtime.ts';
import { createTextEncoder } from './text-encoder.ts';
import { createWorkerPool, stopped, type WorkerPool } from './worker-pool.ts';

export interface OnnxEmbedderOptions {
  /** Folder of the model: `tokenizer.json`, `model_quantized.onnx` or `model.onnx`, `config.json`. */
  readonly folder: string;
  /** Name that the user gave; determines prefixes and pooling. @default the name in the model's files, else the folder's name */
  readonly name?: string;
  /** Length to which vectors are cut, 1 or more. @default the model's own length */
  readonly dimensions?: number | undefined;
  /** Saved identities: the files of a model with a known stamp are not hashed. @default none */
  readonly stamps?: ModelStamps | undefined;
  /** Threads for passages, 1 or more. @default one per core, as many as fit into half of the free memory */
  readonly workers?: number;
  /** Called when the model has moved from this thread to another. */
  readonly onMoved?: (() => void) | undefined;
}

/** Memory of one more thread with the default model, in bytes: session, tokenizer and JavaScript heap. */
const WORKER_BYTES = 116_000_000;

/**
 * Opens the folder. Loads the model on this thread at the first query, or at once if no file gives the length of its vectors. The
 * first passages start the threads.
 * @throws DocfuseError `model_missing`, `model_invalid`, `runtime_missing`. The first use throws `model_invalid` for a broken model
 * file, and `config` if `dimensions` is above the model's own length
 */
export async function createOnnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  const { onMoved } = options;
  // The library loads while the model file is being hashed on another thread.
  const [model] = await Promise.all([
    openModelFolder(options.folder, options.name, options.dimensions, options.stamps),
    loadRuntime(),
  ]);
  const { queryPrefix, passagePrefix } = model.profile;
  const queries = createQueryEncoder(model, { onMoved });
  let pool: WorkerPool | undefined;

  return {
    model: model.identity,
    stamp: model.stamp,
    dimensions: model.dimensions ?? (await queries.dimensions()),
    embedQuery: (text) => queries.encodeQuery(queryPrefix + text),
    async embedPassages(texts, signal) {
      // Embedding a single text here takes less time than starting a thread. The vector is the same, but for `prepack` (`openSession`).
      if (texts.length === 1 && pool === undefined) {
        return [await queries.encode(passagePrefix + texts[0]!, signal)];
      }
      pool ??= createWorkerPool({ kind: 'embedding', files: model }, options.workers ?? defaultWorkers());
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

/** At this query, counted from 1, the model moves to a thread. A command has fewer queries, which end before a thread starts. */
const THREAD_FROM_QUERY = 20;

/**
 * Loads nothing until the first call.
 * @param file file that the thread runs, as in `createWorkerPool`
 */
export function createQueryEncoder(
  model: ModelFolder,
  { onMoved, file }: Pick<OnnxEmbedderOptions, 'onMoved'> & { readonly file?: URL } = {},
) {
  let here: ReturnType<typeof createTextEncoder> | undefined;
  let pool: WorkerPool | undefined;
  /** Embeds a text on the separate thread; undefined until that is ready. */
  let embedThere: ((text: string) => Promise<Float32Array>) | undefined;
  let queries = 0;
  let closed = false;
  /** Settles when all present uses of the model on this thread have ended. */
  let inUse: Promise<unknown> = Promise.resolve();

  function openHere() {
    if (closed) throw stopped('The embedder is closed.');
    here ??= createTextEncoder(model, false);
    return here;
  }

  async function encodeHere(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const encoder = await openHere();
    // Check the signal after opening, which takes a while: a run of the model cannot be stopped.
    if (signal?.aborted) throw stopped('Embedding was stopped.', signal.reason);
    return encoder.encode([text]);
  }

  /** Returns the unit vector of a text. Both threads compute the same vector, but for `prepack` (`openSession`). @throws DocfuseError `aborted` */
  async function encode(text: string, signal?: AbortSignal): Promise<Float32Array> {
    if (pool && embedThere) {
      try {
        return await (signal ? pool.embed([text], signal).then(([vector]) => vector!) : embedThere(text));
      } catch (error) {
        if (closed || signal?.aborted) throw error;
        await closeThread();
      }
    }
    const vector = encodeHere(text, signal);
    inUse = Promise.allSettled([inUse, vector]);
    return vector;
  }

  /** Moves the model to a separate thread. Until that is ready, this thread answers queries, and the model is loaded twice. */
  async function moveOut(): Promise<void> {
    pool = createWorkerPool({ kind: 'embedding', files: model }, 1, file);
    const { embed } = pool;
    try {
      const areBatched = await isBatchable(embed);
      embedThere = areBatched ? createBatches(embed) : async (text) => (await embed([text]))[0]!;
    } catch {
      // If no thread can be started, this thread keeps answering.
      return closeThread();
    }
    await closeHere();
    if (!closed) onMoved?.();
  }

  async function closeThread(): Promise<void> {
    const former = pool;
    pool = undefined;
    await former?.close();
  }

  async function closeHere(): Promise<void> {
    const former = here;
    here = undefined;
    await inUse;
    const open = await former?.catch(() => undefined);
    await open?.close();
  }

  return {
    /** Returns the length of the vectors; loads the model. */
    dimensions: async () => (await openHere()).dimensions,
    encode,
    /** Embeds a query like `encode`. At query `THREAD_FROM_QUERY`, the model moves to a separate thread. */
    encodeQuery(text: string) {
      queries += 1;
      if (queries === THREAD_FROM_QUERY && !closed) moveOut().catch(() => {});
      return encode(text);
    },
    /** Stops running work and rejects later queries. */
    async close() {
      closed = true;
      await closeThread();
      await closeHere();
    },
  };
}

/** Texts of different lengths, from none to as many words as a long question. */
const PROBES = [0, 1, 3, 7, 15, 40].map((words) => 'tide '.repeat(words));

/**
 * Whether the model computes the same vectors in a batch as alone, to the last bit. Many models do not: their sums depend on
 * padding, or they quantize all texts of a batch together.
 */
export async function isBatchable(
  embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<boolean> {
  const together = await embed(PROBES);
  for (const [index, text] of PROBES.entries()) {
    const [alone] = await embed([text]);
    if (alone!.some((component, at) => component !== together[index]![at])) return false;
  }
  return true;
}

/** Max requests per batch: half as many as a server answers at once, so that one half is ranked while the other is embedded. */
const MAX_REQUESTS = 4;

/**
 * Makes a function that returns the result of one request. If nothing is running, the request runs at once, alone: a thread works on it
 * while the caller goes on.
 * @param run returns one result per request, in order. If it rejects, all requests of the batch reject with this error
 */
export function createBatches<Request, Result>(
  run: (requests: readonly Request[]) => Promise<readonly Result[]>,
): (request: Request) => Promise<Result> {
  const waiting: (PromiseWithResolvers<Result> & { readonly request: Request })[] = [];
  let isRunning = false;

  async function runWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_REQUESTS);
      try {
        const results = await run(batch.map(({ request }) => request));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (request) => {
    const result = Promise.withResolvers<Result>();
    waiting.push({ ...result, request });
    if (!isRunning) {
      isRunning = true;
      void runWaiting();
    }
    return result.promise;
  };
}
