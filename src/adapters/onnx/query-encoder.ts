/** Embeds single texts: on the calling thread at first, and on a separate thread after several queries. */
import type { ModelFolder } from './model-folder.ts';
import { createTextEncoder, type TextEncoder } from './text-encoder.ts';
import { createWorkerPool, stopped, type WorkerPool } from './worker-pool.ts';

export interface QueryEncoder {
  /** Returns the length of the vectors; loads the model. */
  dimensions(): Promise<number>;
  /** Returns the unit vector of a text, identical to the last bit on both threads. @throws DocfuseError `aborted` */
  encode(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Embeds a query like `encode`. After several queries, the model moves to a separate thread. */
  encodeQuery(text: string): Promise<Float32Array>;
  /** Stops running work and rejects later queries. */
  close(): Promise<void>;
}

/** Number of the query that starts the thread. A command has only one or two queries, which take less time than starting a thread. */
const THREAD_FROM_QUERY = 20;

/**
 * Loads nothing until the first call.
 * @param file file that the thread runs, as in `createWorkerPool`
 */
export function createQueryEncoder(model: ModelFolder, file?: URL): QueryEncoder {
  let here: Promise<TextEncoder> | undefined;
  let pool: WorkerPool | undefined;
  let isThreadReady = false;
  let queries = 0;
  let closed = false;
  /** Settles when all present uses of the model on this thread have ended. */
  let inUse: Promise<unknown> = Promise.resolve();

  function openHere(): Promise<TextEncoder> {
    if (closed) throw stopped('The embedder is closed.');
    here ??= createTextEncoder(model);
    return here;
  }

  async function encodeHere(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const encoder = await openHere();
    // Checked after opening, which takes a while; a run cannot be stopped.
    if (signal?.aborted) throw stopped('Embedding was stopped.', signal.reason);
    return encoder.encode([text]);
  }

  async function encode(text: string, signal?: AbortSignal): Promise<Float32Array> {
    if (pool && isThreadReady) {
      try {
        return (await pool.embed([text], signal))[0]!;
      } catch (error) {
        if (closed || signal?.aborted) throw error;
        await closeThread();
      }
    }
    const vector = encodeHere(text, signal);
    inUse = Promise.allSettled([inUse, vector]);
    return vector;
  }

  /** Moves the model to a thread. Meanwhile it is loaded twice, and queries are answered on this thread. */
  async function moveOut(): Promise<void> {
    pool = createWorkerPool(model, 1, file);
    try {
      await pool.embed(['']);
    } catch {
      // If no thread can be started, this thread keeps answering.
      return closeThread();
    }
    isThreadReady = true;
    await closeHere();
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
    dimensions: async () => (await openHere()).dimensions,
    encode,
    encodeQuery(text) {
      queries += 1;
      if (queries === THREAD_FROM_QUERY && !closed) moveOut().catch(() => {});
      return encode(text);
    },
    async close() {
      closed = true;
      await closeThread();
      await closeHere();
    },
  };
}
